import type { Context } from '../../../context.ts';
import type { ImportKind } from '../../../db/generated/client.ts';
import { DomainError } from '../../../errors.ts';
import { recordUpdated } from '../../../journal/record-changes.ts';
import type { Import, UndoNote, UndoReport } from '../types.ts';
import { importInTurn } from './import-queue.ts';
import { getImport, lockImport } from './imports.ts';
import { runImport } from './run-import.ts';
import { undoBookings } from './undo-bookings.ts';
import { undoEvents } from './undo-events.ts';
import { undoMembers } from './undo-members.ts';

interface UndoInput {
  id: string;
  /** Report what would happen, but change nothing. */
  dryRun?: boolean | undefined;
}

type Undo = (ctx: Context, importId: string, options: { dryRun: boolean }) => Promise<UndoReport>;

const UNDO: Record<ImportKind, Undo> = {
  members: undoMembers,
  events: undoEvents,
  bookings: undoBookings,
};

// Bookings that are cancelled with this job send no emails.
const QUIET_JOB = 'imports.undo';

const MAX_REPORTED_PROBLEMS = 50;

/**
 * Removes everything that an import added, and gives back the fields that it changed, in one transaction. Nothing is changed if
 * anything depends on what it added, such as a booking of a member. A dry run reports the same problems.
 *
 * @throws NOT_FOUND; CONFLICT: IMPORT_ENDED if it was undone before, IMPORT_IN_USE, with `problems`, if something depends on it
 *
 * @example
 * const { problems } = await undoImport(ctx, { id, dryRun: true });
 */
export async function undoImport(
  ctx: Context,
  { id, dryRun = false }: UndoInput,
): Promise<{ import: Import; report: UndoReport }> {
  const quiet = { ...ctx, job: QUIET_JOB };
  const undo = async (ctx: Context) => {
    const { state, kind } = await lockImport(ctx, id);
    if (state === 'undone')
      throw new DomainError('CONFLICT', 'This import was undone before.', {
        reason: 'IMPORT_ENDED',
      });
    const report = await UNDO[kind](ctx, id, { dryRun });
    if (report.problems.length > 0 && !dryRun) throw importInUse(report.problems);
    await recordUpdated(ctx, 'import.undone', [id], () =>
      ctx.db.import.update({ where: { id }, data: { state: 'undone', undoneAt: ctx.now() } }),
    );
    return { import: await getImport(ctx, id), report };
  };
  const result = await importInTurn(ctx, () => runImport(quiet, dryRun, undo));
  return dryRun ? { ...result, import: await getImport(ctx, id) } : result;
}

const importInUse = (problems: UndoNote[]) =>
  new DomainError(
    'CONFLICT',
    `${problems.length === 1 ? 'Something depends' : `${problems.length} things depend`} on this import, so nothing was undone. Line ${problems[0]?.line}: ${problems[0]?.reason}`,
    { reason: 'IMPORT_IN_USE', problems: problems.slice(0, MAX_REPORTED_PROBLEMS) },
  );
