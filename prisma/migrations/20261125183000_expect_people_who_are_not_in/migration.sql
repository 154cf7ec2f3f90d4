-- Welcome screens list who is expected: not those who are in.
DROP TRIGGER bookings_record_content_change ON bookings;
CREATE TRIGGER bookings_record_content_change AFTER UPDATE OF
    title, status, starts_at, ends_at, occupied_until, resource_id, location_id, member_id, guest_name, checked_in_at
  OR DELETE ON bookings
  FOR EACH ROW EXECUTE FUNCTION record_content_change();
COMMENT ON TRIGGER bookings_record_content_change ON bookings IS
  'Every change of content that a display can show is in display_content_changes, so that cached content expires.';

-- Most people who come and go have no booking on that day, so displays need not read their content again.
CREATE FUNCTION record_content_change_of_visit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM bookings b WHERE b.member_id = NEW.member_id AND b.location_id = NEW.location_id
      AND b.status = 'confirmed' AND b.starts_at BETWEEN NEW.created_at - interval '31 days' AND NEW.created_at + interval '2 days') THEN
    INSERT INTO display_content_changes (location_id) VALUES (NEW.location_id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER check_ins_record_content_change AFTER INSERT OR UPDATE OF checked_out_at, unconfirmed ON check_ins
  FOR EACH ROW WHEN (NEW.member_id IS NOT NULL AND NEW.result = 'admitted')
  EXECUTE FUNCTION record_content_change_of_visit();
COMMENT ON TRIGGER check_ins_record_content_change ON check_ins IS
  'Every change of who is expected is in display_content_changes, so that cached content expires.';
