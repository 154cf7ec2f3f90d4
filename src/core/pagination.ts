/** A request for one page. With keyset pagination, a page begins where the last one ended, so every page costs the same. */
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
/** For lists below each item of another list. */
export const DEFAULT_RELATION_LIMIT = 10;
export const MAX_LIMIT = 100;

/** Whether a sort key is an instant as `toISOString` writes it, in a year that PostgreSQL can read. */
export const isInstant = (key: string) =>
  /^(?!0000)\d{4}-/.test(key) &&
  !Number.isNaN(Date.parse(key)) &&
  new Date(key).toISOString() === key;
