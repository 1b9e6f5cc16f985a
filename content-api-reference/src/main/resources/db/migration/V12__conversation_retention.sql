-- Finds conversations whose time is over.
create index widget_conversation_updated on widget_conversation (updated_at);
