import type { Context } from '../../../context.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import type { ChangeType } from '../../../journal/catalog.ts';
import { combineHandlers } from '../../../journal/combine-handlers.ts';
import type { RecordedChange } from '../../../journal/read-changes.ts';
import { endVisit } from './check-out.ts';

/** The changes with which members can lose the right to be at a location. */
const TYPES = [
  'member.updated',
  'membership.ended',
  'membership.deleted',
] as const satisfies ChangeType[];

/** The members whose rights the changes can affect: $1 are ids of members and memberships, $2 of teams. */
const HOLDER = `
  holder AS (
    SELECT m.id FROM members m WHERE m.id = ANY ($1::uuid[]) OR m.team_id = ANY ($2::uuid[])
    UNION
    SELECT m.id FROM memberships ms JOIN members m ON m.id = ms.member_id OR m.team_id = ms.team_id
    WHERE ms.id = ANY ($1::uuid[]))`;

/** SQL: the member `m` would not be admitted at the location `l` now. */
const HAS_NO_RIGHT = `(m.status <> 'active' OR l.member_admission = 'with_membership' AND NOT EXISTS (
  SELECT FROM memberships ms
  WHERE (ms.member_id = m.id OR ms.team_id = m.team_id) AND daterange(ms.starts_on, ms.ends_on, '[]')
    @> ($3::timestamptz AT TIME ZONE l.time_zone)::date))`;

// All locations where one of the members has no right, not only those with a visit: a check-in that has read the member before the
// change is over once its location is locked, and its visit can be found. In the order of their ids and before the visits, as every
// other transaction locks them.
const LOCK_LOCATIONS = prepareStatement(`
  WITH ${HOLDER}
  SELECT o.location_id FROM occupancies o JOIN locations l ON l.id = o.location_id
  WHERE EXISTS (SELECT FROM holder JOIN members m ON m.id = holder.id WHERE ${HAS_NO_RIGHT})
  ORDER BY o.location_id FOR UPDATE OF o`);

// A booking, a ticket or a pass admits its holder without a membership, so only visits of members as such can end.
const FIND_VISITS_WITHOUT_RIGHT = prepareStatement(`
  WITH ${HOLDER}
  SELECT c.id FROM holder JOIN members m ON m.id = holder.id JOIN check_ins c ON c.member_id = m.id
  JOIN locations l ON l.id = c.location_id
  WHERE c.subject = 'member' AND c.result = 'admitted' AND c.checked_out_at IS NULL AND NOT c.unconfirmed AND ${HAS_NO_RIGHT}
  ORDER BY c.id`);

/**
 * Ends the open visits of members who could not be admitted any more after these changes: former and paused members, and those
 * whose membership has ended. A day that passes ends no visit by itself: those end when the location closes.
 */
async function endVisitsOfMembers(ctx: Context, changes: RecordedChange[]): Promise<void> {
  const ids = changes.flatMap(({ subjectId }) => subjectId ?? []);
  // The row of a deleted membership is gone, so its holder is read from the change.
  const findHolders = (column: string) =>
    changes.flatMap(({ type, before }) => {
      const id = type === 'membership.deleted' ? before?.[column] : null;
      return typeof id === 'string' ? [id] : [];
    });
  const holders = [[...ids, ...findHolders('member_id')], findHolders('team_id'), ctx.now()];
  const locked = await ctx.lockingSql(LOCK_LOCATIONS, holders);
  if (locked.length === 0) return;
  const found = await ctx.lockingSql<{ id: string }>(FIND_VISITS_WITHOUT_RIGHT, holders);
  const visits = await ctx.db.checkIn.findMany({
    where: { id: { in: found.map(({ id }) => id) } },
    orderBy: { id: 'asc' },
  });
  for (const visit of visits) await endVisit(ctx, visit, ctx.now());
}

/** Ends visits when their members lose the right to be there, within seconds and in the transaction that moves the reader. */
export const visitReader = combineHandlers('visits', [
  {
    types: TYPES,
    where: "type <> 'member.updated' OR after ?| array['status', 'team_id']",
    handle: endVisitsOfMembers,
  },
]);
