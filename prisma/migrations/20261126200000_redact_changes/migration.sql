-- Erasures remove personal data from changes, which then say so. What was created and deleted stays recognizable.
ALTER TABLE changes ADD COLUMN redacted boolean NOT NULL DEFAULT false;

-- Earlier erasures removed the values of a change as a whole.
UPDATE changes SET redacted = true,
  before = CASE WHEN type NOT SIMILAR TO '%.(created|placed|offered|admitted|rejected|unconfirmed|invited)'
    OR type = 'waitlist_entry.offered' THEN '{}'::jsonb END,
  after = CASE WHEN type NOT SIMILAR TO '%.(deleted|invitation_withdrawn)' THEN '{}'::jsonb END
WHERE before IS NULL AND after IS NULL;
