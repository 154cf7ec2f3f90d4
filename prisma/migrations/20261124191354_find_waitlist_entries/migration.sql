-- A second link to an entry, for a person whose address joined the list again. The first one keeps working.
ALTER TABLE waitlist_entries ADD COLUMN resent_hash bytea, ADD COLUMN resent_at timestamptz(3);
CREATE UNIQUE INDEX waitlist_entries_resent_hash_key ON waitlist_entries (resent_hash);
