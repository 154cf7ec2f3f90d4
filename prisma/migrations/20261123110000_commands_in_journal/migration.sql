-- The changes of one command have the same transaction, so that a reader can tell what belongs together. Changes from
-- before have none.
ALTER TABLE changes ADD COLUMN transaction_id bigint;
ALTER TABLE changes ALTER COLUMN transaction_id SET DEFAULT (pg_current_xact_id()::text)::bigint;

-- Why staff or the cancellation of an event ended it. Its holder is emailed the reason.
ALTER TABLE tickets ADD COLUMN cancel_reason text;
ALTER TABLE day_passes ADD COLUMN cancel_reason text;
