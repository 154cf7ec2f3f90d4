import { DomainError } from '../errors.ts';
import { Prisma } from './generated/client.ts';

/** Turns the database's refusal of a second one into CONFLICT. */
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

/** Whether the database refused to leave the space without an active owner. */
export const isLastOwnerViolation = (error: unknown) =>
  error instanceof Error &&
  JSON.stringify([error.message, error.cause, error]).includes('users_require_active_owner');

/** Whether the database refused to delete what something else still refers to. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2003';

/**
 * Whether a counter refused: its CHECK, or the trigger that counts who is in. It judges a row as the statement saw it
 * when it began, even if the statement then waited and others gave back meanwhile: what is asked again sees what is
 * there now.
 */
export const isCounterViolation = (error: unknown) =>
  error instanceof Error &&
  /_never_over(sold|used|_capacity|_limit)\b|the location is full/.test(
    JSON.stringify([error.message, error.cause, error]),
  );

/** Whether the database refused a row because of an EXCLUDE constraint. */
export const isExclusionViolation = (error: unknown) =>
  error instanceof Error && JSON.stringify([error.message, error.cause, error]).includes('23P01');
