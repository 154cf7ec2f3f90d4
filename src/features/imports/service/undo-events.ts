import type { Context } from '../../../context.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { recordDeleted } from '../../../journal/record-changes.ts';
import type { UndoNote, UndoReport } from '../types.ts';

// Whoever orders a ticket meanwhile waits, and then finds that the event is gone.
const LOCK_EVENTS = prepareStatement(`
  SELECT id FROM events WHERE id IN (
    SELECT c.subject_id FROM import_changes c WHERE c.import_id = $1::uuid AND c.subject_type = 'event')
  ORDER BY id FOR UPDATE`);

const FIND_PROBLEMS = prepareStatement(`
  SELECT coalesce((SELECT min(r.line) FROM import_rows r WHERE r.import_id = $1::uuid AND r.subject_id = e.id), 1) AS line,
    'The event "' || left(e.title, 100) || '" ' || problem.text AS reason
  FROM events e CROSS JOIN LATERAL (
    SELECT 'has orders.' AS text WHERE EXISTS (SELECT FROM orders d WHERE d.event_id = e.id)
    UNION ALL SELECT 'has tickets on sale.' WHERE EXISTS (SELECT FROM ticket_types d WHERE d.event_id = e.id)
    UNION ALL SELECT 'has discount codes.' WHERE EXISTS (SELECT FROM discount_codes d WHERE d.event_id = e.id)
    UNION ALL SELECT 'was announced in a mailing.' WHERE EXISTS (SELECT FROM mailings d WHERE d.event_id = e.id)
    UNION ALL SELECT 'was changed since.' WHERE EXISTS (
      SELECT FROM changes d WHERE d.subject_id = e.id AND d.type <> 'event.created')
    UNION ALL SELECT 'can have changes that the journal no longer contains.' WHERE NOT EXISTS (
      SELECT FROM changes d WHERE d.subject_id = e.id AND d.type = 'event.created')) problem
  WHERE e.id = ANY ($2::uuid[]) ORDER BY 1, 2`);

/** Deletes the events that an import added. */
export async function undoEvents(ctx: Context, importId: string): Promise<UndoReport> {
  const rows = await ctx.lockingSql<{ id: string }>(LOCK_EVENTS, [importId]);
  const ids = rows.map(({ id }) => id);
  const problems = await ctx.lockingSql<UndoNote>(FIND_PROBLEMS, [importId, ids]);
  const report = { removed: ids.length, restored: 0, notes: [], problems };
  if (problems.length > 0) return report;
  await recordDeleted(ctx, 'event.deleted', ids);
  await ctx.db.$executeRaw`DELETE FROM events WHERE id = ANY (${ids}::uuid[])`;
  return report;
}
