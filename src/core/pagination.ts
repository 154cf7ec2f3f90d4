import { z } from 'zod';
import { DomainError } from '../errors.ts';

/** Lists are read page by page, each from where the last one ended, so that page 1,000 costs what page 1 does. */
export interface PageRequest {
  limit: number;
  /** Opaque; from an earlier page. */
  cursor?: string | undefined;
}

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 100;

/** What a list is sorted by, the id last. */
export type CursorPosition = [key: string, id: string];

const positionSchema = z.tuple([z.string(), z.uuid()]);

export const encodeCursor = (at: CursorPosition) =>
  Buffer.from(JSON.stringify(at)).toString('base64url');

/** Throws BAD_REQUEST when the text is not a cursor of such a list. */
export function parseCursor(
  cursor: string,
  isKey: (key: string) => boolean = () => true,
): CursorPosition {
  try {
    const at = positionSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    if (isKey(at[0])) return at;
  } catch {
    // falls through to the one answer
  }
  throw new DomainError(
    'BAD_REQUEST',
    'This cursor is not from this list. Leave it out to start from the beginning.',
    {
      reason: 'BAD_CURSOR',
    },
  );
}

/** For keys that are instants, of the years that PostgreSQL can read as they stand. */
export const isInstant = (key: string) =>
  /^(?!0000)\d{4}-/.test(key) &&
  !Number.isNaN(Date.parse(key)) &&
  new Date(key).toISOString() === key;

/** Cuts a page out of rows that were asked for with one to spare. */
export function toPage<T>(
  rows: T[],
  limit: number,
  positionOf: (item: T) => CursorPosition,
): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last ? encodeCursor(positionOf(last)) : null };
}

/** For lists that Prisma reads, sorted by a name and the id: the condition that begins after the cursor. */
export function whereAfterName(page: PageRequest) {
  if (page.cursor === undefined) return {};
  const [name, id] = parseCursor(page.cursor);
  // The first condition says nothing new, but lets the index begin there.
  return { name: { gte: name }, OR: [{ name: { gt: name } }, { name, id: { gt: id } }] };
}

export const orderByName = [{ name: 'asc' as const }, { id: 'asc' as const }];

export const toPageByName = <T extends { name: string; id: string }>(rows: T[], limit: number) =>
  toPage(rows, limit, ({ name, id }) => [name, id]);

/** For lists that Prisma reads newest first: the condition that begins after the cursor. */
export function whereOlderThanCursor(page: PageRequest) {
  if (page.cursor === undefined) return {};
  const [createdAt, id] = parseCursor(page.cursor, isInstant);
  return {
    createdAt: { lte: createdAt },
    OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }],
  };
}

export const orderByNewest = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

export const toCreatedPosition = ({
  createdAt,
  id,
}: {
  createdAt: Date;
  id: string;
}): CursorPosition => [createdAt.toISOString(), id];
