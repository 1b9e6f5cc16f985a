-- Finds what belongs to no conversation by its age, and what belongs to one as before.
create index widget_rating_loose on widget_rating (conversation_id, created_at);
create index workspace_coupon_application_loose on workspace_coupon_application (conversation_id, applied_at);
drop index widget_rating_conversation;
drop index workspace_coupon_application_conversation;
