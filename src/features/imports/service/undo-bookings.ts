import type { Context } from '../../../context.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { cancelLockedBookings } from '../../bookings/service/change-booking.ts';
import type { UndoNote, UndoReport } from '../types.ts';

const LOCK_BOOKINGS = prepareStatement(`
  SELECT id FROM bookings WHERE status <> 'cancelled' AND id IN (
    SELECT c.subject_id FROM import_changes c WHERE c.import_id = $1::uuid AND c.subject_type = 'booking')
  ORDER BY id FOR NO KEY UPDATE`);

const FIND_PROBLEMS = prepareStatement(`
  SELECT coalesce((SELECT min(r.line) FROM import_rows r WHERE r.import_id = $1::uuid AND r.subject_id = b.id), 1) AS line,
    problem.text AS reason
  FROM bookings b JOIN imports i ON i.id = $1::uuid CROSS JOIN LATERAL (
    SELECT 'The booking was paid.' AS text WHERE EXISTS (SELECT FROM payments d WHERE d.booking_id = b.id)
    UNION ALL SELECT 'The booking has started since.' WHERE b.starts_at > i.created_at AND b.starts_at <= $3::timestamptz
    UNION ALL SELECT 'The booking was changed since.' WHERE EXISTS (
      SELECT FROM changes d WHERE d.subject_id = b.id AND d.type <> 'booking.created')
    UNION ALL SELECT 'The booking can have changes that the journal no longer contains.' WHERE NOT EXISTS (
      SELECT FROM changes d WHERE d.subject_id = b.id AND d.type = 'booking.created')) problem
  WHERE b.id = ANY ($2::uuid[]) ORDER BY 1, 2`);

/** Cancels the bookings that an import added, without emails. They can be imported again. */
export async function undoBookings(ctx: Context, importId: string): Promise<UndoReport> {
  const rows = await ctx.lockingSql<{ id: string }>(LOCK_BOOKINGS, [importId]);
  const ids = rows.map(({ id }) => id);
  const problems = await ctx.lockingSql<UndoNote>(FIND_PROBLEMS, [importId, ids, ctx.now()]);
  const report = { removed: ids.length, restored: 0, notes: [], problems };
  if (problems.length > 0) return report;
  await cancelLockedBookings(ctx, ids, { waiveFee: true });
  await ctx.db.$executeRaw`UPDATE bookings SET import_uid = NULL WHERE id = ANY (${ids}::uuid[])`;
  return report;
}
