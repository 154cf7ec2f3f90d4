-- Whether people on the waiting list still have to get offers for tickets that are available. Until then, nobody else can buy.
ALTER TABLE events ADD COLUMN offers_pending boolean NOT NULL DEFAULT false;
-- Finds the events for the job that makes the offers.
CREATE INDEX events_offers_pending_idx ON events (id) WHERE offers_pending;
