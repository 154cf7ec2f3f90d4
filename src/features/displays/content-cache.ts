import { hash } from 'node:crypto';
import type { Sql } from '../../db/prepared-statement.ts';
import type { Device } from './device-lookup.ts';
import { READ_DISPLAY_CONTENT } from './display-content.ts';
import { getOpeningSchedule, type OpeningSchedule } from './opening-schedule.ts';

/** What all displays of one kind at one location, or of one resource, show. */
export interface DisplayContent {
  /** JSON of the device's kind, location and resource. */
  placement: string;
  /** JSON of everything on the screen. */
  shown: string;
  /** A hash of both. */
  digest: string;
}

interface CachedContent {
  contentVersion: string;
  /** Valid in [from, until), in milliseconds since 1970. `until` is undefined while the content is being read. */
  from: number;
  until: number | undefined;
  digest: Promise<string>;
  /** Undefined after newer content has evicted it; the digest stays. */
  content: Promise<DisplayContent> | undefined;
}

/** Contents take some kilobytes, digests some hundred bytes. */
const MAX_CACHED_CONTENTS = 5_000;
const MAX_CACHED_DIGESTS = 200_000;

/**
 * Creates a cache of display contents. An entry is valid while the database reports the content version under which it was
 * read, which each request reads anew, and until the next change by the clock. So no response is older than its request.
 */
export function createContentCache(sql: Sql) {
  // Maps keep the order of insertion: the first key is the least recently used.
  const entries = new Map<string, CachedContent>();
  const entriesWithContent = new Map<string, CachedContent>();

  const getValidEntry = async (
    device: Device,
    now: Date,
    needsContent: boolean,
  ): Promise<CachedContent> => {
    const { kind, locationId, resourceId, contentVersion } = device;
    const key = `${kind} ${locationId} ${resourceId}`;
    const at = now.getTime();
    for (;;) {
      const entry = entries.get(key);
      if (
        entry?.contentVersion === contentVersion &&
        entry.from <= at &&
        (entry.content || !needsContent)
      ) {
        await entry.digest;
        if (at < (entry.until ?? 0))
          return entries.get(key) === entry ? markUsed(key, entry) : entry;
      }
      // While this request waited, another one can have started to read. Then its entry can be the valid one.
      if (entries.get(key) === entry) startReading(key, device, now);
    }
  };

  const startReading = (key: string, device: Device, now: Date): void => {
    const reading = readContent(sql, device, now);
    const entry: CachedContent = {
      contentVersion: device.contentVersion,
      from: now.getTime(),
      until: undefined,
      digest: reading.then(({ content, until }) => {
        // A change at this very millisecond is in the content already.
        entry.until = Math.max(until, now.getTime() + 1);
        return content.digest;
      }),
      content: reading.then(({ content }) => content),
    };
    markUsed(key, entry);
    entry.content?.catch(() => {});
    entry.digest.catch(() => {
      if (entries.get(key) === entry) entries.delete(key);
    });
  };

  const markUsed = (key: string, entry: CachedContent): CachedContent => {
    entries.delete(key);
    entries.set(key, entry);
    if (entries.size > MAX_CACHED_DIGESTS) entries.delete(entries.keys().next().value as string);
    if (entry.content === undefined) return entry;
    entriesWithContent.delete(key);
    entriesWithContent.set(key, entry);
    const [oldest] = entriesWithContent.size > MAX_CACHED_CONTENTS ? entriesWithContent : [];
    if (oldest) {
      entriesWithContent.delete(oldest[0]);
      oldest[1].content = undefined;
    }
    return entry;
  };

  return {
    /** Enough to see whether anything has changed. */
    getDigest: async (device: Device, now: Date): Promise<string> =>
      (await getValidEntry(device, now, false)).digest,
    getContent: async (device: Device, now: Date): Promise<DisplayContent> => {
      const { content } = await getValidEntry(device, now, true);
      return content as Promise<DisplayContent>;
    },
  };
}

interface ContentRow {
  placement: string;
  content: string;
  lists: string;
  calendar: string;
  until: Date | null;
}

async function readContent(sql: Sql, { kind, locationId, resourceId }: Device, now: Date) {
  const [row] = await sql<ContentRow>(READ_DISPLAY_CONTENT, [locationId, now, kind, resourceId]);
  if (row === undefined) throw new Error('The location of this display does not exist.');
  const schedule = getOpeningSchedule(row.calendar, now.getTime());
  const until = Math.min(row.until?.getTime() ?? Number.POSITIVE_INFINITY, schedule.until);
  const { placement } = row;
  const shown = toShownJson(row, schedule, until);
  const content = { placement, shown, digest: hash('sha256', placement + shown) };
  return { content, until };
}

/** The rows are JSON texts with the field names of the API: they are joined, not parsed and serialized again. */
function toShownJson(
  { content, lists }: ContentRow,
  { open, opening }: OpeningSchedule,
  until: number,
): string {
  const nextChange = Number.isFinite(until) ? new Date(until).toISOString() : null;
  return (
    `{"content":${content.slice(0, -1)},${JSON.stringify({ open, opening }).slice(1)},${lists.slice(1, -1)},` +
    `"next_change_at":${JSON.stringify(nextChange)}}`
  );
}
