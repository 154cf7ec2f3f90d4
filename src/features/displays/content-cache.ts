import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Sql } from '../../db/prepared-statement.ts';
import { READ_DISPLAY_CONTENT } from './display-content.ts';
import {
  createScheduleCache,
  type GetOpeningSchedule,
  type OpeningSchedule,
} from './opening-schedule.ts';
import type { Device } from './service/device-lookup.ts';

/** The content of all displays of one kind at one location, or of one resource. */
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
  /** Undefined once newer content has evicted it. The digest is kept. */
  content: Promise<DisplayContent> | undefined;
}

/** A content takes a few kilobytes, a digest a few hundred bytes. */
const MAX_CACHED_CONTENTS = 5_000;
const MAX_CACHED_DIGESTS = 200_000;

/**
 * Creates a cache of display contents. An entry is valid until the next scheduled change, and while the database reports the
 * content version under which it was read. Every request reads that version, so no response is older than its request.
 */
export function createContentCache(sql: Sql) {
  const getOpeningSchedule = createScheduleCache();
  const entries = new LRUCache<string, CachedContent>({
    maxSize: MAX_CACHED_DIGESTS, // `max` would reserve memory for all of them
    sizeCalculation: () => 1,
  });
  const entriesWithContent = new LRUCache<string, CachedContent>({
    max: MAX_CACHED_CONTENTS,
    dispose: (entry, _, reason) => {
      if (reason === 'evict') entry.content = undefined;
    },
  });

  const getValidEntry = async (
    device: Device,
    now: Date,
    needsContent: boolean,
  ): Promise<CachedContent> => {
    const { kind, locationId, resourceId, contentVersion } = device;
    const key = `${kind} ${locationId} ${resourceId}`;
    const at = now.getTime();
    for (;;) {
      const entry = entries.peek(key);
      if (
        entry?.contentVersion === contentVersion &&
        entry.from <= at &&
        (entry.content || !needsContent)
      ) {
        await entry.digest;
        if (at < (entry.until ?? 0))
          return entries.peek(key) === entry ? markUsed(key, entry) : entry;
      }
      // Another request can have replaced the entry while this one waited. Its entry is then checked.
      if (entries.peek(key) === entry) startReading(key, device, now);
    }
  };

  const startReading = (key: string, device: Device, now: Date): void => {
    const reading = readContent(sql, getOpeningSchedule, device, now);
    const entry: CachedContent = {
      contentVersion: device.contentVersion,
      from: now.getTime(),
      until: undefined,
      digest: reading.then(({ content, until }) => {
        // The content already includes a change at this exact millisecond.
        entry.until = Math.max(until, now.getTime() + 1);
        return content.digest;
      }),
      content: reading.then(({ content }) => content),
    };
    markUsed(key, entry);
    entry.content?.catch(() => {});
    entry.digest.catch(() => {
      if (entries.peek(key) === entry) entries.delete(key);
    });
  };

  const markUsed = (key: string, entry: CachedContent): CachedContent => {
    entries.set(key, entry);
    if (entry.content !== undefined) entriesWithContent.set(key, entry);
    return entry;
  };

  return {
    /** Returns the digest, which is enough to detect changes. */
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

async function readContent(
  sql: Sql,
  getOpeningSchedule: GetOpeningSchedule,
  { kind, locationId, resourceId }: Device,
  now: Date,
) {
  const [row] = await sql<ContentRow>(READ_DISPLAY_CONTENT, [locationId, now, kind, resourceId]);
  if (row === undefined) throw new Error('The location of this display does not exist.');
  const schedule = getOpeningSchedule(row.calendar, now.getTime());
  const until = Math.min(row.until?.getTime() ?? Number.POSITIVE_INFINITY, schedule.until);
  const { placement } = row;
  const shown = toShownJson(row, schedule, until);
  const content = { placement, shown, digest: hash('sha256', placement + shown) };
  return { content, until };
}

/** Joins the columns, which are JSON texts with the field names of the API, without parsing them. */
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
