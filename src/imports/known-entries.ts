import { type FieldChange, formatFields } from '../features/imports/service/changed-fields.ts';
import type { ImportChangeRecord } from '../features/imports/service/imports.ts';
import type { SkippedEntry } from './calendar/entry-error.ts';
import { toEntryUid } from './calendar/occurrence-ids.ts';
import type { CalendarContents, CancelledEntry, ListedEntry } from './calendar/read-calendar.ts';
import type { ImportRow } from './report.ts';

// What an import does with entries that were imported before.

/** The result for one booking or event that exists already. */
export interface KnownResult extends Pick<ImportRow, 'outcome' | 'reason'> {
  changed?: FieldChange;
}

/** The row is as the file says, so nothing has to be said about it. */
export const UNCHANGED: KnownResult = { outcome: 'unchanged' };

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
export interface KeptReason {
  outcome: 'unchanged' | 'skipped';
  text: string;
}

/** An import never overwrites what people did in Foyer. */
export const CHANGED_IN_FOYER: KeptReason = {
  outcome: 'skipped',
  text: 'It was changed in Foyer since the import, so it stays as it is.',
};

export const DELETED_MEANWHILE: KeptReason = {
  outcome: 'skipped',
  text: 'It was deleted while the import ran. Import the file again.',
};

export const toKeptResult = (changed: FieldChange, { outcome, text }: KeptReason): KnownResult => ({
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

/** A booking or event ahead that was imported before. */
interface ComingOccurrence {
  importUid: string | null;
  startsAt: Date;
  status: string;
}

/**
 * Lists the UIDs of occurrences that the calendar contains or cancels, if they were imported before. It cancels what it no longer
 * has of an entry, such as the old times of a series that was moved.
 */
export function listAffectedUids(
  { occurrences, cancelled, complete, latestStart }: CalendarContents,
  coming: ComingOccurrence[],
): string[] {
  const uids = new Set([...occurrences, ...cancelled].map(({ uid }) => uid));
  const cancelledEntries = new Set(
    cancelled.filter(({ kind }) => kind === 'entry').map(({ uid }) => uid),
  );
  const findComplete = createCompleteFinder(complete);
  for (const { importUid, startsAt, status } of coming) {
    if (importUid === null) continue;
    const isMissing =
      status !== 'cancelled' && startsAt <= latestStart && findComplete(importUid) !== undefined;
    if (isMissing || cancelledEntries.has(toEntryUid(importUid))) uids.add(importUid);
  }
  return [...uids];
}

/** An entry that repeats from now on, or no longer, loses what it was before. */
function createCompleteFinder(complete: ListedEntry[]) {
  const byUid = new Map(complete.map((entry) => [entry.uid, entry]));
  return (uid: string) => byUid.get(uid) ?? byUid.get(toEntryUid(uid));
}

/** What cancelled entries mean for those that were imported before. */
interface Cancellations {
  /** By the UID of the occurrence. */
  known: Map<string, ListedEntry>;
  /** Those that were never imported. */
  unknown: CancelledEntry[];
}

/**
 * Finds the imported occurrences that the file cancels. What the file also contains as an occurrence is not cancelled, such as
 * one that was moved out of a cancelled series.
 *
 * @param importedUids of `listAffectedUids`, those that were imported before
 */
export function matchCancelled(
  { occurrences, cancelled, complete }: CalendarContents,
  importedUids: Iterable<string>,
): Cancellations {
  const listedUids = new Set(occurrences.map(({ uid }) => uid));
  const byUid = new Map(cancelled.map((entry) => [entry.uid, entry]));
  const findComplete = createCompleteFinder(complete);
  const known = new Map<string, ListedEntry>();
  for (const uid of importedUids) {
    if (listedUids.has(uid)) continue;
    const whole = byUid.get(toEntryUid(uid));
    const entry = byUid.get(uid) ?? (whole?.kind === 'entry' ? whole : findComplete(uid));
    if (entry) known.set(uid, entry);
  }
  const matched = new Set(known.values());
  return {
    known,
    unknown: cancelled.filter((entry) => entry.kind !== 'excluded_date' && !matched.has(entry)),
  };
}

/** What is cancelled and was never imported. */
export const toCancelledProblems = (cancelled: CancelledEntry[]): SkippedEntry[] =>
  cancelled.map(({ line, what }) => ({
    line,
    what,
    reason: 'It was cancelled before it was imported, so there is nothing to do.',
  }));

export const toKnownRow = (
  label: Pick<ImportRow, 'line' | 'what'>,
  { outcome, reason }: KnownResult,
): ImportRow => ({ ...label, outcome, ...(reason !== undefined && { reason }) });
