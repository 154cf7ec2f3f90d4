import type { Context } from '../../../context.ts';
import type { Booking } from '../../../db/generated/client.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { lockMembershipsOfSlots, pickPrice } from '../../bookings/service/price-slots.ts';
import type { UndoNote, UndoReport } from '../types.ts';
import {
  type BookingRewrite,
  cancelImportedBookings,
  changeBookings,
  listPricedSlots,
  lockBookings,
  readBookings,
} from './change-bookings.ts';
import {
  formatKept,
  listFieldChanges,
  parseFields,
  type Restoration,
  splitFields,
} from './changed-fields.ts';
import { toChangedByImportSql, toNotes } from './imports.ts';

const FIND_BOOKINGS = prepareStatement(`
  SELECT b.id, b.resource_id AS "resourceId", c.before IS NULL AS "isAdded",
    array_remove(ARRAY[b.starts_at, (c.before ->> 'startsAt')::timestamptz], NULL) AS starts
  FROM import_changes c JOIN bookings b ON b.id = c.subject_id
  WHERE c.import_id = $1::uuid AND c.subject_type = 'booking'`);

// A booking with a revision was changed by nothing but imports. The journal knows about the others.
const FIND_PROBLEMS = prepareStatement(`
  SELECT coalesce((SELECT min(r.line) FROM import_rows r WHERE r.import_id = $1::uuid AND r.subject_id = b.id), 1) AS line,
    problem.text AS reason
  FROM bookings b JOIN imports i ON i.id = $1::uuid CROSS JOIN LATERAL (
    SELECT 'The booking was paid.' AS text WHERE EXISTS (SELECT FROM payments d WHERE d.booking_id = b.id)
    UNION ALL SELECT 'The booking has started since.' WHERE b.starts_at > i.created_at AND b.starts_at <= $3::timestamptz
    UNION ALL SELECT 'A later import changed the booking. Undo that import first.' WHERE ${toChangedByImportSql('b.id')}
    UNION ALL SELECT 'The booking was changed since.' WHERE b.import_revision IS NULL AND EXISTS (
      SELECT FROM changes d WHERE d.subject_id = b.id AND d.type <> 'booking.created')
    UNION ALL SELECT 'The booking can have changes that the journal no longer contains.'
    WHERE b.import_revision IS NULL AND NOT EXISTS (
      SELECT FROM changes d WHERE d.subject_id = b.id AND d.type = 'booking.created')) problem
  WHERE b.id = ANY ($2::uuid[]) ORDER BY 1, 2`);

/**
 * Cancels the bookings that an import added, without emails, and gives back the fields of those that it changed. Cancelled ones
 * can be imported again.
 */
export async function undoBookings(
  ctx: Context,
  importId: string,
  options: { dryRun: boolean },
): Promise<UndoReport> {
  const ids = await lockBookingsOfImport(ctx, importId);
  const problems = await ctx.lockingSql<UndoNote>(FIND_PROBLEMS, [importId, ids, ctx.now()]);
  const report = { removed: ids.length, restored: 0, notes: [], problems };
  if (problems.length > 0) return report;
  await cancelImportedBookings(ctx, ids);
  return { ...report, ...(await restoreBookings(ctx, importId, options)) };
}

/** Locks the bookings that an import added or changed, and returns the ids of those that it added and that are not cancelled. */
async function lockBookingsOfImport(ctx: Context, importId: string): Promise<string[]> {
  const found = await ctx.lockingSql<FoundBooking>(FIND_BOOKINGS, [importId]);
  // It has one resource, but people can have moved a booking to another since.
  const bookings = await lockBookings(
    ctx,
    found.map(({ id }) => id),
    found.flatMap(({ resourceId, starts }) => starts.map((startsAt) => ({ resourceId, startsAt }))),
  );
  const added = new Set(found.filter(({ isAdded }) => isAdded).map(({ id }) => id));
  return bookings.flatMap(({ id, status }) => (added.has(id) && status !== 'cancelled' ? id : []));
}

interface FoundBooking {
  id: string;
  resourceId: string;
  isAdded: boolean;
  /** When it begins, and when it began before the import. */
  starts: Date[];
}

const STAYS_CANCELLED =
  'The import cancelled the booking, and it stays cancelled. Import the earlier file again to book it.';

async function restoreBookings(ctx: Context, importId: string, { dryRun }: { dryRun: boolean }) {
  const changes = await listFieldChanges(ctx, importId, 'booking');
  const stored = await readBookings(
    ctx,
    changes.map(({ subjectId }) => subjectId),
  );
  const bookings = new Map(stored.map((booking) => [booking.id, booking]));
  const reasons = new Map<string, string>();
  const rewrites: BookingRewrite[] = [];
  for (const change of changes) {
    const booking = bookings.get(change.subjectId);
    if (booking === undefined) continue;
    const { same, kept } = findRestorable(ctx, booking, change);
    if (change.after.status === 'cancelled') reasons.set(booking.id, STAYS_CANCELLED);
    else if (kept.length > 0) reasons.set(booking.id, formatKept(kept));
    if (same.length === 0) continue;
    const earlier = parseFields(change.before, same) as Partial<Booking>;
    rewrites.push({
      booking,
      fields: { ...booking, ...earlier },
      // A price that the move did not change is not recorded.
      earlierPrice: pickPrice({ ...booking, ...earlier }),
    });
  }
  const found = await findResource(ctx, importId);
  if (found !== null && !dryRun)
    await lockMembershipsOfSlots(ctx, found, listPricedSlots(ctx, rewrites, false));
  const resource = await findResource(ctx, importId);
  if (resource === null) return { restored: 0, notes: await toNotes(ctx, importId, reasons) };
  const { conflicts } = await changeBookings(ctx, rewrites, {
    resource,
    lines: new Map(),
    dryRun,
  });
  for (const [id, reason] of conflicts) reasons.set(id, `It stays as it is. ${reason}`);
  return {
    restored: rewrites.length - conflicts.size,
    notes: await toNotes(ctx, importId, reasons),
  };
}

const findResource = ({ db }: Context, importId: string) =>
  db.resource.findFirst({
    where: { imports: { some: { id: importId } } },
    include: { location: true },
  });

/** Nothing of a booking that was changed in Foyer, or has started. */
function findRestorable(
  ctx: Context,
  booking: BookingRewrite['booking'],
  change: Restoration,
): { same: string[]; kept: string[] } {
  const isUntouched = booking.importRevision !== null && booking.startsAt > ctx.now();
  return isUntouched
    ? splitFields({ ...booking }, change)
    : { same: [], kept: Object.keys(change.after) };
}
