-- The reader of the journal that queues emails begins here. If it registered itself at its first run, it would miss the changes
-- that another reader has seen before.
INSERT INTO journal_readers (name, position, updated_at)
SELECT 'mail', position, now() FROM journal_head ON CONFLICT DO NOTHING;
