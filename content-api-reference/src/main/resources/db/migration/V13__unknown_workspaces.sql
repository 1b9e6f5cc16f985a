-- A widget may name a workspace that is not there. It is answered like any other, or whoever asks would learn which are.
alter table widget_conversation add column unknown_workspace varchar(64);
