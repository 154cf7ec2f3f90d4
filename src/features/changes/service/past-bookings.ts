import type { Context } from '../../../context.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { toHistorySql } from '../../../journal/read-changes.ts';
import { toFieldsSql } from '../../../journal/record-changes.ts';
import { SUBJECTS } from '../../../journal/subjects.ts';
import { toBookingNameSql } from '../booking-name.ts';

// The fields as of after the change: those of today, with what each first later change of a field has replaced.
const FIND_NAMES = prepareStatement(`
  SELECT c.id, ${toBookingNameSql({
    resourceId: `(past.fields ->> 'resource_id')::uuid`,
    memberId: `(past.fields ->> 'member_id')::uuid`,
    guestName: `past.fields ->> 'guest_name'`,
    title: `past.fields ->> 'title'`,
    startsAt: `(past.fields ->> 'starts_at')::timestamptz`,
    locationId: `(past.fields ->> 'location_id')::uuid`,
  })} AS name
  FROM changes c JOIN bookings b ON b.id = c.subject_id
  CROSS JOIN LATERAL (
    SELECT ${toFieldsSql(SUBJECTS.booking, 'b')} || coalesce((
      SELECT jsonb_object_agg(replaced.key, replaced.value) FROM (
        SELECT DISTINCT ON (field.key) field.key, field.value
        FROM ${toHistorySql('b.id')} later CROSS JOIN LATERAL jsonb_each(later.before) field
        WHERE later.sequence > c.sequence ORDER BY field.key, later.sequence) replaced), '{}') AS fields) past
  WHERE c.id = ANY ($1::uuid[])`);

/**
 * Finds what bookings were called by at the time of changes to them, by the ids of the changes. Callers check that the viewer can
 * read the bookings.
 */
export async function findBookingNamesOfChanges(
  { pipelinedSql }: Context,
  changeIds: readonly string[],
): Promise<Map<string, string | null>> {
  const rows = await pipelinedSql<{ id: string; name: string | null }>(FIND_NAMES, [changeIds]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
