import { DomainError } from '../errors.ts';
import { Prisma } from './generated/client.ts';

/** Runs a write. @throws CONFLICT for a duplicate. `subject` begins its message, such as "This name"; `field` is that of the input. */
export async function rejectDuplicate<T>(
  subject: string,
  field: string,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') {
      throw new DomainError('CONFLICT', `${subject} is already in use.`, {
        reason: 'TAKEN',
        fields: [field],
      });
    }
    throw error;
  }
}

/** Runs a write of a customer. @throws CONFLICT if another customer has this number */
export async function rejectCustomerNumber<T>(
  number: string | null | undefined,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (number && mentions(error, /customer_number/)) {
      throw new DomainError('CONFLICT', `The customer number ${number} is already in use.`, {
        reason: 'TAKEN',
        fields: ['customerNumber'],
      });
    }
    throw error;
  }
}

/** Whether a change failed because it would leave no active owner. */
export const isLastOwnerViolation = (error: unknown) =>
  mentions(error, /users_require_active_owner/);

/** Whether a deletion failed because other rows still refer to the row. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2003';

/**
 * Whether a capacity check failed: a CHECK constraint of a counter, or the occupancy trigger. Both see the row as of the
 * beginning of the statement, even if it then waited while others released capacity. A retry sees the current row.
 */
export const isCounterViolation = (error: unknown) =>
  mentions(error, /_never_over(sold|used|_capacity|_limit)\b|the location is full/);

/** Whether a row violated an EXCLUDE constraint. */
export const isExclusionViolation = (error: unknown) => mentions(error, /23P01/);

/** Whether a transaction failed because of another one. Prisma reports write conflicts and deadlocks in several forms. */
export const isWriteConflict = (error: unknown) =>
  mentions(error, /\b(P2034|TransactionWriteConflict|40P01|40001)\b/);

/** Whether a statement has waited for a lock for longer than its transaction allows. */
export const isLockTimeout = (error: unknown) => mentions(error, /\b55P03\b/);

const MAX_DEPTH = 6;

/** Whether an error of the database, or one of its causes, contains this text. Other errors can refer to themselves. */
function mentions(error: unknown, pattern: RegExp, depth = 0): boolean {
  if (typeof error === 'string') return pattern.test(error);
  if (typeof error !== 'object' || error === null || depth > MAX_DEPTH) return false;
  return PARTS.some((part) =>
    mentions((error as Record<string, unknown>)[part], pattern, depth + 1),
  );
}

/** The parts of errors of PostgreSQL, of Prisma and of its driver adapter. */
const PARTS = [
  ...['message', 'code', 'constraint', 'cause'],
  ...['kind', 'originalCode', 'originalMessage', 'meta', 'driverAdapterError'],
];
