-- Webhooks and subscriptions read the journal. What was recorded for them elsewhere and is not published yet moves there.

INSERT INTO changes (type, subject_id, actor_kind, at, before, after)
SELECT CASE
    WHEN type = 'order.refunded' THEN 'refund.succeeded'
    WHEN type = 'order.placed' AND EXISTS (SELECT FROM waitlist_entries w WHERE w.order_id = subject_id) THEN 'order.offered'
    ELSE type END,
  subject_id, 'system', at, '{}', '{}'
FROM event_outbox ORDER BY recorded_at;
INSERT INTO changes (type, subject_id, actor_kind, at, before, after)
SELECT 'display.' || status, display_id, 'system', at, jsonb_build_object('status', previous_status),
  jsonb_build_object('status', status)
FROM display_status_changes WHERE published_at IS NULL ORDER BY recorded_at;
-- The reader begins with them.
INSERT INTO journal_readers (name, position)
SELECT 'webhooks', position FROM journal_head WHERE EXISTS (SELECT FROM changes) ON CONFLICT DO NOTHING;

-- The 17 triggers too.
DROP FUNCTION enqueue_event() CASCADE;
DROP TABLE event_outbox;
DROP INDEX display_status_changes_unpublished_idx;
ALTER TABLE display_status_changes DROP COLUMN published_at;

-- The name of the change: its subject is the refund.
UPDATE webhook_endpoints SET events = array_append(events, 'refund.succeeded')
WHERE events && ARRAY['order.refunded', 'order.*'] AND NOT events && ARRAY['refund.succeeded', 'refund.*', '*'];
UPDATE webhook_endpoints SET events = array_remove(events, 'order.refunded') WHERE 'order.refunded' = ANY (events);
UPDATE webhook_messages SET type = 'refund.succeeded' WHERE type = 'order.refunded';
