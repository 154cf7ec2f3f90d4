import type { Context } from '../context.ts';
import { assignPositions } from '../journal/assign-positions.ts';
import type { ChangeType } from '../journal/catalog.ts';
import { recordCreated } from '../journal/record-changes.ts';
import { SUBJECTS, type SubjectName } from '../journal/subjects.ts';

/** The types of changes with which rows appear, by subject, and the rows of which that is true. */
const BEGINNINGS: [SubjectName, ChangeType, condition?: string][] = [
  ['location', 'location.created'],
  ['resource', 'resource.created'],
  ['closure', 'closure.created'],
  ['team', 'team.created'],
  ['member', 'member.created'],
  ['staff', 'staff.created', 'role IS NOT NULL'],
  ['plan', 'plan.created'],
  ['membership', 'membership.created'],
  ['event', 'event.created'],
  ['ticket_type', 'ticket_type.created'],
  ['day_pass_type', 'day_pass_type.created'],
  ['booking', 'booking.created'],
  ['order', 'order.placed'],
  ['ticket', 'ticket.issued', `status IN ('valid', 'cancelled')`],
  ['day_pass', 'day_pass.issued', `status IN ('valid', 'cancelled')`],
  ['payment', 'payment.created'],
  ['refund', 'refund.created'],
  ['check_in', 'check_in.admitted', `result = 'admitted'`],
  ['check_in', 'check_in.rejected', `result <> 'admitted'`],
  ['display', 'display.created'],
  ['announcement', 'announcement.created'],
];

/** Records the sample data as if it had just been created, so that programs that read the journal find all of it. */
export async function recordSampleData(ctx: Context): Promise<void> {
  for (const [subject, type, condition = 'true'] of BEGINNINGS) {
    const rows = await ctx.lockingSql<{ id: string }>(
      { text: `SELECT id FROM ${SUBJECTS[subject].table} WHERE ${condition} ORDER BY id` },
      [],
    );
    await recordCreated(
      ctx,
      type,
      rows.map(({ id }) => id),
    );
  }
  // Nobody is emailed about it.
  await assignPositions(ctx);
  await ctx.db
    .$executeRaw`UPDATE journal_readers SET position = head.position FROM journal_head head`;
}
