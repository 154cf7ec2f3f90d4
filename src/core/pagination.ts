import { z } from 'zod';
import { DomainError } from '../errors.ts';

/** Keyset pagination: each page begins where the last one ended, so page 1,000 costs what page 1 does. */
export interface PageRequest {
  limit: number;
  /** Opaque; taken from an earlier page. */
  cursor?: string | undefined;
}

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 100;

/** The sort keys of a list, the id last. */
export type CursorPosition = [key: string, id: string];

const positionSchema = z.tuple([z.string(), z.uuid()]);

export const encodeCursor = (at: CursorPosition) =>
  Buffer.from(JSON.stringify(at)).toString('base64url');

/** Throws BAD_REQUEST when the text is not a cursor of this list. */
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

/** For keys that are instants in years that PostgreSQL can read. */
export const isInstant = (key: string) =>
  /^(?!0000)\d{4}-/.test(key) &&
  !Number.isNaN(Date.parse(key)) &&
  new Date(key).toISOString() === key;

/** Makes a page of rows that were read with one extra row. */
export function toPage<T>(
  rows: T[],
  limit: number,
  positionOf: (item: T) => CursorPosition,
): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last ? encodeCursor(positionOf(last)) : null };
}

/** The Prisma condition that begins after the cursor, for lists sorted by name and id. */
export function whereAfterName(page: PageRequest) {
  if (page.cursor === undefined) return {};
  const [name, id] = parseCursor(page.cursor);
  // The first condition is redundant, but lets PostgreSQL start in the index there.
  return { name: { gte: name }, OR: [{ name: { gt: name } }, { name, id: { gt: id } }] };
}

export const orderByName = [{ name: 'asc' as const }, { id: 'asc' as const }];

export const toPageByName = <T extends { name: string; id: string }>(rows: T[], limit: number) =>
  toPage(rows, limit, ({ name, id }) => [name, id]);

/** The Prisma condition that begins after the cursor, for lists sorted newest first. */
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
