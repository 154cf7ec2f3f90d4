import type { Logger } from 'pino';
import type { Viewer } from './auth/viewer.ts';
import { isCounterViolation } from './db/constraint-errors.ts';
import type { Prisma, PrismaClient } from './db/generated/client.ts';
import type { Sql } from './db/prepared-statement.ts';
import { RetryableConflict } from './errors.ts';
import type { PaymentProvider } from './integrations/payments/provider.ts';

/** All that a service function needs to know besides its input. */
export interface Context {
  db: PrismaClient | Prisma.TransactionClient;
  /** For hot reads: everybody's statements share its connections, so none of them may wait for a lock. */
  pipelinedSql: Sql;
  /** For written statements that take locks. */
  lockingSql: Sql;
  viewer: Viewer;
  /** Where the request came from, an IPv4 address or an IPv6 /64; absent for the command line and timed work. */
  clientAddress?: string;
  now(): Date;
  log: Logger;
  payments: PaymentProvider;
  /** Where callers reach the service, for the links in mails. */
  baseUrl: string;
  /** Absent where no jobs run, such as on the command line: there the schedule sees to it. */
  triggerJob?: JobTrigger;
  /** Set within a transaction. */
  isInTransaction?: true;
}

/** Has a job begin soon, and only if the transaction of this ctx comes to its end. */
export type JobTrigger = (ctx: Context, job: TriggerableJob) => Promise<void>;

type TriggerableJob =
  | 'mail.deliver'
  | 'payments.refund'
  | 'events.cancel-orders'
  | 'webhooks.deliver';

const MAX_TRANSACTION_ATTEMPTS = 4;

/**
 * All or nothing. Tried again when the database asks for it or the work was overtaken; nothing outside the database
 * may be called inside.
 */
export async function runInTransaction<T>(
  ctx: Context,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  if (ctx.isInTransaction || !('$transaction' in ctx.db)) return work(ctx);
  const { db } = ctx;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.$transaction((tx) =>
        work({ ...ctx, db: tx, ...toTransactionSql(tx), isInTransaction: true }),
      );
    } catch (error) {
      const again =
        error instanceof RetryableConflict || isWriteConflict(error) || isCounterViolation(error);
      if (attempt === MAX_TRANSACTION_ATTEMPTS || !again) throw error;
    }
  }
}

function toTransactionSql(
  tx: Prisma.TransactionClient,
): Pick<Context, 'pipelinedSql' | 'lockingSql'> {
  const sql: Sql = ({ text }, values) => tx.$queryRawUnsafe(text, ...values);
  return { pipelinedSql: sql, lockingSql: sql };
}

/** Prisma tells of one and the same thing in three ways, by where it happened: a conflict, or a deadlock that PostgreSQL broke. */
function isWriteConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: string };
  return (
    code === 'P2034' ||
    /TransactionWriteConflict|\b40P01\b|\b40001\b/.test(
      JSON.stringify([error.message, error.cause, error]),
    )
  );
}
