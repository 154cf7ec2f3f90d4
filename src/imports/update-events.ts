import type { Context } from '../context.ts';
import {
  changeEvents,
  type EventRewrite,
  type ImportedEventFields,
  type KnownEvent,
  lockEvents,
  readEvents,
} from '../features/imports/service/change-events.ts';
import { type FieldChange, findFieldChange } from '../features/imports/service/changed-fields.ts';
import {
  CHANGED_IN_FOYER,
  type KeptReason,
  type KnownResult,
  toCancellation,
} from './known-entries.ts';
import { lockChanging } from './lock-changing.ts';

/**
 * Changes drafts that were imported before to what the file says, and cancels those that it cancels. Events that are published,
 * have started or were changed in Foyer stay.
 *
 * @param known what the entries say now, by the ids of their events; null if the entry is cancelled
 * @returns the results by the ids of the events
 */
export async function updateKnownEvents(
  ctx: Context,
  known: Map<string, ImportedEventFields | null>,
): Promise<Map<string, KnownResult>> {
  const { results, changing } = await lockChanging(await readEvents(ctx, [...known.keys()]), {
    findChange: (event) => findChange(event, known.get(event.id) ?? null),
    explainKept: (event) => explainKept(ctx, event),
    lock: (ids) => lockEvents(ctx, ids),
  });
  const rewrites = changing.map(({ row: event }): EventRewrite => {
    const fields = known.get(event.id) ?? { ...event, status: 'cancelled' };
    return { event, fields };
  });
  await changeEvents(ctx, rewrites);
  return results;
}

function findChange(event: KnownEvent, fields: ImportedEventFields | null): FieldChange | null {
  if (fields === null) return event.status === 'cancelled' ? null : toCancellation(event.status);
  // A published event is what its entry says, unless that is cancelled.
  const status = event.status === 'published' ? 'published' : fields.status;
  return findFieldChange(event, { ...fields, status });
}

function explainKept(ctx: Context, event: KnownEvent): KeptReason | null {
  if (event.startsAt <= ctx.now())
    return { outcome: 'unchanged', text: 'It has started, so it stays as it is.' };
  if (event.status === 'published')
    return { outcome: 'skipped', text: 'It is published, so it stays as it is.' };
  return event.importRevision === null || event.hasSalesOrMailings ? CHANGED_IN_FOYER : null;
}
