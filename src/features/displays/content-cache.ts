import { hash } from 'node:crypto';
import type { Sql } from '../../db/prepared-statement.ts';
import type { Device } from './device-lookup.ts';
import { READ_DISPLAY_CONTENT } from './display-content.ts';
import { getOpeningSchedule, type OpeningSchedule } from './opening-schedule.ts';

/** What all displays of one kind at one place show. */
export interface DisplayContent {
  /** JSON of the device's kind, location and resource. */
  place: string;
  /** JSON of all that is shown. */
  shown: string;
  /** Of both. */
  digest: string;
}

interface CachedContent {
  stamp: string;
  /** They hold from the one to before the other; until they are read, that is not known. */
  from: number;
  until: number | undefined;
  digest: Promise<string>;
  /** Undefined once they made way for others. */
  contents: Promise<DisplayContent> | undefined;
}

interface ContentRow {
  place: string;
  content: string;
  lists: string;
  calendar: string;
  until: Date | null;
}

/** Whole contents take some kilobytes, digests some hundred bytes. */
const MAX_CACHED_CONTENTS = 5_000;
const MAX_CACHED_DIGESTS = 200_000;

/**
 * Contents are kept for as long as the stamp that the database told with this very request is the one under which they
 * were read, and no longer than until their next change by the clock: what is shown is never older than the request.
 */
export function createContentCache(sql: Sql) {
  const kept = new Map<string, CachedContent>();
  const whole = new Map<string, CachedContent>();

  const valid = async (device: Device, now: Date, needsAll: boolean): Promise<CachedContent> => {
    const { kind, locationId, resourceId, stamp } = device;
    const key = `${kind} ${locationId} ${resourceId}`;
    const at = now.getTime();
    for (;;) {
      const known = kept.get(key);
      if (known && known.stamp === stamp && known.from <= at && (known.contents || !needsAll)) {
        await known.digest;
        if (at < (known.until ?? 0)) return kept.get(key) === known ? lastUsed(key, known) : known;
      }
      // Somebody else may have begun to read meanwhile, and what they read may hold.
      if (kept.get(key) === known) begin(key, device, now);
    }
  };

  const begin = (key: string, device: Device, now: Date): void => {
    const reading = readContent(sql, device, now);
    const entry: CachedContent = {
      stamp: device.stamp,
      from: now.getTime(),
      until: undefined,
      digest: reading.then(({ contents, until }) => {
        // What changes at this very moment was read as it is after it.
        entry.until = Math.max(until, now.getTime() + 1);
        return contents.digest;
      }),
      contents: reading.then(({ contents }) => contents),
    };
    lastUsed(key, entry);
    entry.contents?.catch(() => {});
    entry.digest.catch(() => {
      if (kept.get(key) === entry) kept.delete(key);
    });
  };

  /** Maps keep the order in which they were filled: the first is the one that was not used for longest. */
  const lastUsed = (key: string, entry: CachedContent): CachedContent => {
    kept.delete(key);
    kept.set(key, entry);
    if (kept.size > MAX_CACHED_DIGESTS) kept.delete(kept.keys().next().value as string);
    if (entry.contents === undefined) return entry;
    whole.delete(key);
    whole.set(key, entry);
    const [oldest] = whole.size > MAX_CACHED_CONTENTS ? whole : [];
    if (oldest) {
      whole.delete(oldest[0]);
      oldest[1].contents = undefined;
    }
    return entry;
  };

  return {
    /** Enough to tell whether anything has changed. */
    digestOf: async (device: Device, now: Date): Promise<string> =>
      (await valid(device, now, false)).digest,
    contentsOf: async (device: Device, now: Date): Promise<DisplayContent> => {
      const { contents } = await valid(device, now, true);
      return contents as Promise<DisplayContent>;
    },
  };
}

async function readContent(sql: Sql, { kind, locationId, resourceId }: Device, now: Date) {
  const [row] = await sql<ContentRow>(READ_DISPLAY_CONTENT, [locationId, now, kind, resourceId]);
  if (row === undefined) throw new Error('a display stands at a location that is there');
  const opening = getOpeningSchedule(row.calendar, now.getTime());
  const until = Math.min(row.until?.getTime() ?? Number.POSITIVE_INFINITY, opening.until);
  const { place } = row;
  const shown = toShownJson(row, opening, until);
  return { contents: { place, shown, digest: hash('sha256', place + shown) }, until };
}

/** The rows are in the words of the wire already, and texts: nothing of them is read to be written again. */
function toShownJson(
  { content, lists }: ContentRow,
  { open, opening }: OpeningSchedule,
  until: number,
): string {
  const next = Number.isFinite(until) ? new Date(until).toISOString() : null;
  return (
    `{"content":${content.slice(0, -1)},${JSON.stringify({ open, opening }).slice(1)},${lists.slice(1, -1)},` +
    `"next_change_at":${JSON.stringify(next)}}`
  );
}
