import type { Context } from '../../../context.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { recordDeleted } from '../../../journal/record-changes.ts';
import type { UndoNote, UndoReport } from '../types.ts';
import {
  changeEvents,
  type EventRewrite,
  type ImportedEventFields,
  lockEvents,
} from './change-events.ts';
import { formatKept, listFieldChanges, parseFields, splitFields } from './changed-fields.ts';
import { toChangedByImportSql, toNotes } from './imports.ts';

// Whoever orders a ticket meanwhile waits, and then finds that the event is gone.
const LOCK_EVENTS = prepareStatement(`
  SELECT id FROM events WHERE id IN (
    SELECT c.subject_id FROM import_changes c
    WHERE c.import_id = $1::uuid AND c.subject_type = 'event' AND c.before IS NULL)
  ORDER BY id FOR UPDATE`);

// An event with a revision was changed by nothing but imports. The journal knows about the others.
const FIND_PROBLEMS = prepareStatement(`
  SELECT coalesce((SELECT min(r.line) FROM import_rows r WHERE r.import_id = $1::uuid AND r.subject_id = e.id), 1) AS line,
    'The event "' || left(e.title, 100) || '" ' || problem.text AS reason
  FROM events e CROSS JOIN LATERAL (
    SELECT 'has orders.' AS text WHERE EXISTS (SELECT FROM orders d WHERE d.event_id = e.id)
    UNION ALL SELECT 'has tickets on sale.' WHERE EXISTS (SELECT FROM ticket_types d WHERE d.event_id = e.id)
    UNION ALL SELECT 'has discount codes.' WHERE EXISTS (SELECT FROM discount_codes d WHERE d.event_id = e.id)
    UNION ALL SELECT 'was announced in a mailing.' WHERE EXISTS (SELECT FROM mailings d WHERE d.event_id = e.id)
    UNION ALL SELECT 'was changed by a later import. Undo that import first.' WHERE ${toChangedByImportSql('e.id')}
    UNION ALL SELECT 'was changed since.' WHERE e.import_revision IS NULL AND EXISTS (
      SELECT FROM changes d WHERE d.subject_id = e.id AND d.type <> 'event.created')
    UNION ALL SELECT 'can have changes that the journal no longer contains.'
    WHERE e.import_revision IS NULL AND NOT EXISTS (
      SELECT FROM changes d WHERE d.subject_id = e.id AND d.type = 'event.created')) problem
  WHERE e.id = ANY ($2::uuid[]) ORDER BY 1, 2`);

/** Deletes the events that an import added, and gives back the fields of drafts that it changed. */
export async function undoEvents(ctx: Context, importId: string): Promise<UndoReport> {
  const rows = await ctx.lockingSql<{ id: string }>(LOCK_EVENTS, [importId]);
  const ids = rows.map(({ id }) => id);
  const problems = await ctx.lockingSql<UndoNote>(FIND_PROBLEMS, [importId, ids]);
  const report = { removed: ids.length, restored: 0, notes: [], problems };
  if (problems.length > 0) return report;
  await recordDeleted(ctx, 'event.deleted', ids);
  await ctx.db.$executeRaw`DELETE FROM events WHERE id = ANY (${ids}::uuid[])`;
  return { ...report, ...(await restoreEvents(ctx, importId)) };
}

/** Restores nothing of an event that was changed or published in Foyer. */
async function restoreEvents(ctx: Context, importId: string) {
  const changes = await listFieldChanges(ctx, importId, 'event');
  const stored = await lockEvents(
    ctx,
    changes.map(({ subjectId }) => subjectId),
  );
  const events = new Map(stored.map((event) => [event.id, event]));
  const locations = new Set((await ctx.db.location.findMany()).map(({ id }) => id));
  const reasons = new Map<string, string>();
  const rewrites: EventRewrite[] = [];
  for (const change of changes) {
    const event = events.get(change.subjectId);
    if (event === undefined) continue;
    const { locationId } = change.before;
    const isUntouched =
      event.importRevision !== null &&
      !event.hasSalesOrMailings &&
      (typeof locationId !== 'string' || locations.has(locationId));
    const { same, kept } = isUntouched
      ? splitFields({ ...event }, change)
      : { same: [], kept: Object.keys(change.after) };
    if (kept.length > 0) reasons.set(event.id, formatKept(kept));
    if (same.length === 0) continue;
    const { startsAt, endsAt, status, title, description, visibility, tags } = event;
    const fields = { startsAt, endsAt, status, title, description, visibility, tags };
    rewrites.push({
      event,
      fields: {
        ...fields,
        locationId: event.locationId,
        ...parseFields(change.before, same),
      } as ImportedEventFields,
    });
  }
  await changeEvents(ctx, rewrites);
  return { restored: rewrites.length, notes: await toNotes(ctx, importId, reasons) };
}
