import { DomainError } from '../errors.ts';
import { Prisma } from './generated/client.ts';

/** Converts a unique violation to CONFLICT. `what` begins the message, such as "This name". */
export async function rejectDuplicate<T>(what: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') {
      throw new DomainError('CONFLICT', `${what} is taken.`, { reason: 'TAKEN' });
    }
    throw error;
  }
}

/** Whether a change failed because it would leave no active owner. */
export const isLastOwnerViolation = (error: unknown) =>
  error instanceof Error &&
  JSON.stringify([error.message, error.cause, error]).includes('users_require_active_owner');

/** Whether a deletion failed because other rows still refer to the row. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2003';

/**
 * Whether a capacity check failed: a CHECK constraint of a counter, or the occupancy trigger. They see the row as it was
 * when the statement began, even if it then waited while others released capacity. A retry sees the current row.
 */
export const isCounterViolation = (error: unknown) =>
  error instanceof Error &&
  /_never_over(sold|used|_capacity|_limit)\b|the location is full/.test(
    JSON.stringify([error.message, error.cause, error]),
  );

/** Whether a row violated an EXCLUDE constraint. */
export const isExclusionViolation = (error: unknown) =>
  error instanceof Error && JSON.stringify([error.message, error.cause, error]).includes('23P01');
