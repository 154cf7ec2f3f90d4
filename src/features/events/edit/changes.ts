import { isDeepStrictEqual } from 'node:util';

/** Changes to something stored: what is missing or undefined stays. */
export type Changes<T> = { [K in keyof T]?: T[K] | undefined };

/** Those that make a difference, so that nothing is asked of the database but that. */
export const differing = <T extends object>(stored: T, changes: Changes<T>): Partial<T> =>
  Object.fromEntries(
    Object.entries(changes).filter(
      ([key, value]) => value !== undefined && !isDeepStrictEqual(stored[key as keyof T], value),
    ),
  ) as Partial<T>;

/** Whether the database refused to let there be fewer than are sold and held. */
export const isBelowSold = (error: unknown) =>
  error instanceof Error &&
  JSON.stringify([error.message, error.cause, error]).includes('_never_oversold');
