import { type FieldChange, formatFields } from '../features/imports/service/changed-fields.ts';
import type { ImportChangeRecord } from '../features/imports/service/imports.ts';
import type { SkippedEntry } from './calendar/entry-error.ts';
import { toEntryUid } from './calendar/occurrence-ids.ts';
import type { CancelledEntry } from './calendar/read-calendar.ts';
import type { ImportRow } from './report.ts';

// What an import does with entries that were imported before.

/** The result for one booking or event that exists already. */
export interface KnownResult extends Pick<ImportRow, 'outcome' | 'reason'> {
  changed?: FieldChange;
}

export const UNCHANGED: KnownResult = { outcome: 'unchanged', reason: 'It was imported before.' };

/** The difference of one that is cancelled in the file. */
export const toCancellation = (status: string): FieldChange => ({
  before: { status },
  after: { status: 'cancelled' },
});

export const toUpdated = (changed: FieldChange): KnownResult => ({
  outcome: 'updated',
  reason: isCancellation(changed) ? 'Cancelled.' : `Changed: ${toFieldText(changed)}.`,
  changed,
});

/** Why something stays that differs from the file. */
export interface Stay {
  outcome: 'unchanged' | 'skipped';
  text: string;
}

/** An import never overwrites what people did in Foyer. */
export const CHANGED_IN_FOYER: Stay = {
  outcome: 'skipped',
  text: 'It was changed in Foyer since the import, so it stays as it is.',
};

export const DELETED_MEANWHILE: Stay = {
  outcome: 'skipped',
  text: 'It was deleted while the import ran. Import the file again.',
};

export const toStaying = (changed: FieldChange, { outcome, text }: Stay): KnownResult => ({
  outcome,
  reason: isCancellation(changed)
    ? `Cancelled in the file. ${text}`
    : `Different in the file: ${toFieldText(changed)}. ${text}`,
});

const isCancellation = ({ after }: FieldChange) => after.status === 'cancelled';

const toFieldText = ({ after }: FieldChange) => formatFields(Object.keys(after));

/** The changes to record, of results by the ids of bookings or events. */
export const toChangeRecords = (
  subjectType: 'booking' | 'event',
  results: Map<string, KnownResult>,
): ImportChangeRecord[] =>
  [...results].flatMap(([subjectId, { changed }]) =>
    changed ? [{ subjectType, subjectId, changed }] : [],
  );

/** What cancelled entries mean for those that were imported before. */
interface Cancellations {
  /** By the UID of the occurrence. */
  known: Map<string, CancelledEntry>;
  /** Those that were never imported. */
  unknown: CancelledEntry[];
}

/**
 * Finds the imported occurrences that the file cancels. What the file also contains as an occurrence is not cancelled, such as
 * one that was moved out of a cancelled series.
 */
export function matchCancelled(
  cancelled: CancelledEntry[],
  importedUids: Iterable<string>,
  listedUids: Set<string>,
): Cancellations {
  const byUid = new Map(cancelled.map((entry) => [entry.uid, entry]));
  const known = new Map<string, CancelledEntry>();
  for (const uid of importedUids) {
    const whole = byUid.get(toEntryUid(uid));
    const entry = byUid.get(uid) ?? (whole?.kind === 'entry' ? whole : undefined);
    if (entry && !listedUids.has(uid)) known.set(uid, entry);
  }
  const matched = new Set(known.values());
  return {
    known,
    unknown: cancelled.filter((entry) => entry.kind !== 'excluded_date' && !matched.has(entry)),
  };
}

/** The UIDs of whole entries that are cancelled. Their occurrences can have been imported. */
export const listCancelledEntryUids = (cancelled: CancelledEntry[]): string[] =>
  cancelled.filter(({ kind }) => kind === 'entry').map(({ uid }) => uid);

/** What is cancelled and was never imported. */
export const toCancelledProblems = (cancelled: CancelledEntry[]): SkippedEntry[] =>
  cancelled.map(({ line, what }) => ({ line, what, reason: 'It is cancelled.' }));

export const toKnownRow = (
  label: Pick<ImportRow, 'line' | 'what'>,
  { outcome, reason }: KnownResult,
): ImportRow => ({ ...label, outcome, ...(reason !== undefined && { reason }) });
