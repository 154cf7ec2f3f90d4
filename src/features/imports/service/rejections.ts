import type { Context } from '../../../context.ts';
import { DomainError, RetryableConflict } from '../../../errors.ts';

// What a service rejects of one line of a file is a problem of that line, and the other lines go on. Whatever an import does for one line
// with functions of services runs in one of these functions.

const CODES = ['VALIDATION', 'CONFLICT', 'NOT_FOUND'];

/** Runs work on one line that changes no rows. Returns its result, or the error if the line is rejected. */
export function tryLine<Result>(work: () => Result): Result | DomainError {
  try {
    return work();
  } catch (error) {
    return toRejection(error);
  }
}

/** The same for work that changes rows. If the line is rejected, its rows are as before. Call it in a transaction. */
export async function tryToChangeLine<Result>(
  { db }: Context,
  work: () => Promise<Result>,
): Promise<Result | DomainError> {
  await db.$executeRaw`SAVEPOINT line`;
  try {
    const result = await work();
    await db.$executeRaw`RELEASE SAVEPOINT line`;
    return result;
  } catch (error) {
    const rejection = toRejection(error);
    // After an error of the database, the transaction runs no other statement.
    await db.$executeRaw`ROLLBACK TO SAVEPOINT line`;
    return rejection;
  }
}

/** @throws every other error: one that has nothing to do with the line, or after which the whole transaction runs again */
function toRejection(error: unknown): DomainError {
  const isRejection = error instanceof DomainError && CODES.includes(error.code);
  if (isRejection && !(error instanceof RetryableConflict)) return error;
  throw error;
}
