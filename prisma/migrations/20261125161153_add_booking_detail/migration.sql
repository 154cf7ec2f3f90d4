-- CreateEnum
CREATE TYPE "booking_detail" AS ENUM ('nothing', 'initials', 'name', 'title');

-- AlterTable
ALTER TABLE "locations" ADD COLUMN     "guest_bookings_on_displays" "booking_detail" NOT NULL DEFAULT 'title',
ADD COLUMN     "member_bookings_on_displays" "booking_detail" NOT NULL DEFAULT 'nothing';

DROP TRIGGER locations_record_content_change ON locations;
CREATE TRIGGER locations_record_content_change AFTER UPDATE OF
    name, time_zone, member_bookings_on_displays, guest_bookings_on_displays ON locations
  FOR EACH ROW EXECUTE FUNCTION record_content_change_of_location();
COMMENT ON TRIGGER locations_record_content_change ON locations IS
  'Every change of content that a display can show is in display_content_changes, so that cached content expires.';
