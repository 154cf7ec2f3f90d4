-- Whether an offer can be for some of the tickets that a person waits for. Otherwise the entry is passed over until all are
-- available.
ALTER TABLE waitlist_entries ADD COLUMN accepts_fewer boolean NOT NULL DEFAULT true;
