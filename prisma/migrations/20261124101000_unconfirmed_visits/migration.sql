-- A visit that an unpaired client began by handle. It says that someone claimed to be this person, so it changes nothing else.
ALTER TABLE check_ins ADD COLUMN unconfirmed boolean NOT NULL DEFAULT false;
-- Only a handle begins an unconfirmed visit, and handles refer to members.
ALTER TABLE check_ins ADD CONSTRAINT check_ins_unconfirmed CHECK (
  NOT unconfirmed OR (result = 'admitted' AND subject IN ('member', 'visitor'))
);

-- A member has at most one open confirmed visit.
DROP INDEX check_ins_open_member_key;
CREATE UNIQUE INDEX check_ins_open_member_key ON check_ins (member_id)
  WHERE result = 'admitted' AND checked_out_at IS NULL AND member_id IS NOT NULL AND NOT unconfirmed;

-- Lists of unconfirmed visits. They are rare among all attempts.
CREATE INDEX check_ins_unconfirmed_idx ON check_ins (created_at, id) WHERE unconfirmed;

ALTER TABLE occupancies ADD COLUMN unconfirmed integer NOT NULL DEFAULT 0;
-- The number of unconfirmed visits is never negative.
ALTER TABLE occupancies ADD CONSTRAINT occupancies_unconfirmed CHECK (unconfirmed >= 0);

-- The update locks the row of the counters, so simultaneous check-ins wait for each other. A confirmed visit needs a place
-- besides the other confirmed ones; an unconfirmed visit needs a place besides all. Lowering a capacity does not end any visits.
CREATE OR REPLACE FUNCTION maintain_occupancy() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  confirmed_change int := 0;
  unconfirmed_change int := 0;
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.result = 'admitted' AND OLD.checked_out_at IS NULL THEN
    IF OLD.unconfirmed THEN unconfirmed_change := -1; ELSE confirmed_change := -1; END IF;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.result = 'admitted' AND NEW.checked_out_at IS NULL THEN
    IF NEW.unconfirmed THEN unconfirmed_change := unconfirmed_change + 1; ELSE confirmed_change := confirmed_change + 1; END IF;
  END IF;
  IF confirmed_change > 0 OR unconfirmed_change > 0 THEN
    UPDATE occupancies o SET present = o.present + confirmed_change, unconfirmed = o.unconfirmed + unconfirmed_change
    FROM locations l
    WHERE o.location_id = NEW.location_id AND l.id = o.location_id AND (
      l.capacity IS NULL
      OR CASE WHEN confirmed_change > 0 THEN o.present ELSE o.present + o.unconfirmed END < l.capacity);
    IF NOT FOUND THEN
      RAISE EXCEPTION 'the location is full'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'occupancies_never_over_capacity';
    END IF;
  ELSIF confirmed_change < 0 OR unconfirmed_change < 0 THEN
    UPDATE occupancies SET present = present + confirmed_change, unconfirmed = unconfirmed + unconfirmed_change
    WHERE location_id = OLD.location_id;
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER check_ins_maintain_occupancy ON check_ins;
CREATE TRIGGER check_ins_maintain_occupancy
  AFTER INSERT OR UPDATE OF result, checked_out_at, unconfirmed OR DELETE ON check_ins
  FOR EACH ROW EXECUTE FUNCTION maintain_occupancy();
COMMENT ON TRIGGER check_ins_maintain_occupancy ON check_ins IS
  'The occupancy of a location equals its numbers of open visits. Confirmed visits never exceed its capacity, and unconfirmed ones take no place from them.';
