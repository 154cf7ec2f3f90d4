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
  DELETED_MEANWHILE,
  type KeptReason,
  type KnownResult,
  toCancellation,
  toKeptResult,
  toUpdated,
  UNCHANGED,
} from './known-entries.ts';

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
  const results = new Map<string, KnownResult>();
  const changing = new Map<string, EventRewrite & { change: FieldChange }>();
  const decide = (event: KnownEvent) => {
    const fields = known.get(event.id) ?? null;
    const change = findChange(event, fields);
    const kept = change && explainKept(ctx, event);
    if (change === null) results.set(event.id, UNCHANGED);
    else if (kept !== null) results.set(event.id, toKeptResult(change, kept));
    else {
      results.set(event.id, toUpdated(change));
      const rewrite = { event, fields: fields ?? { ...event, status: 'cancelled' as const } };
      changing.set(event.id, { ...rewrite, change });
    }
  };
  for (const event of await readEvents(ctx, [...known.keys()])) decide(event);
  // People can have changed or deleted some of them meanwhile.
  const locked = await lockEvents(ctx, [...changing.keys()]);
  for (const [id, { change }] of changing) results.set(id, toKeptResult(change, DELETED_MEANWHILE));
  changing.clear();
  for (const event of locked) decide(event);
  await changeEvents(ctx, [...changing.values()]);
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
