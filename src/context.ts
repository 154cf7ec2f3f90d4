import type { Logger } from 'pino';
import type { Viewer } from './auth/viewer.ts';
import { isCounterViolation } from './db/constraint-errors.ts';
import type { Prisma, PrismaClient } from './db/generated/client.ts';
import type { Sql } from './db/prepared-statement.ts';
import { RetryableConflict } from './errors.ts';
import type { PaymentAdapter } from './integrations/payments/provider.ts';

/** Everything a service function needs besides its input. */
export interface Context {
  db: PrismaClient | Prisma.TransactionClient;
  /** For hot reads. All requests share its connections, so statements must not wait for locks. */
  pipelinedSql: Sql;
  /** For hand-written statements that take locks. */
  lockingSql: Sql;
  viewer: Viewer;
  /** The client's IPv4 address or IPv6 /64. Absent on the command line and in jobs. */
  clientAddress?: string;
  now(): Date;
  log: Logger;
  payments: PaymentAdapter;
  /** The public URL of the service, for links in e-mails. */
  baseUrl: string;
  /** Absent in processes without jobs, such as the command line. The schedule then starts the work later. */
  triggerJob?: JobTrigger;
  /** Set within a transaction. */
  isInTransaction?: true;
}

/** Starts a job soon. Within a transaction, only if it commits. */
export type JobTrigger = (ctx: Context, job: TriggerableJob) => Promise<void>;

type TriggerableJob =
  | 'mail.deliver'
  | 'payments.refund'
  | 'events.cancel-orders'
  | 'webhooks.deliver';

const MAX_TRANSACTION_ATTEMPTS = 4;

/**
 * Runs the work in a transaction and retries it after conflicts with other transactions. Since it can run several times,
 * it must not call anything outside the database.
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
      const isRetryable =
        error instanceof RetryableConflict || isWriteConflict(error) || isCounterViolation(error);
      if (attempt === MAX_TRANSACTION_ATTEMPTS || !isRetryable) throw error;
    }
  }
}

function toTransactionSql(
  tx: Prisma.TransactionClient,
): Pick<Context, 'pipelinedSql' | 'lockingSql'> {
  const sql: Sql = ({ text }, values) => tx.$queryRawUnsafe(text, ...values);
  return { pipelinedSql: sql, lockingSql: sql };
}

/** Prisma reports write conflicts and deadlocks in three forms, depending on where they happened. */
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
