import type { Logger } from 'pino';
import type { Viewer } from './auth/viewer.ts';
import type { Prisma, PrismaClient } from './db/generated/client.ts';
import { isCounterRefusal } from './db/refusals.ts';
import type { Sql } from './db/sql.ts';
import { Overtaken } from './errors.ts';
import type { WriteBehind } from './jobs/write-behind.ts';
import type { PaymentPort } from './payments/port.ts';

/** All that a service function needs to know besides its input. */
export interface Ctx {
  db: PrismaClient | Prisma.TransactionClient;
  /** For hot reads: everybody's statements share its connections, so none of them may wait for a lock. */
  sql: Sql;
  /** For written statements that take locks. */
  write: Sql;
  viewer: Viewer;
  /** Where the request came from, an IPv4 address or an IPv6 /64; absent for the command line and timed work. */
  clientAddress?: string;
  now(): Date;
  log: Logger;
  writeBehind: WriteBehind;
  payments: PaymentPort;
  /** Where callers reach the service, for the links in mails. */
  baseUrl: string;
  /** Absent where no jobs run, such as on the command line: there the schedule sees to it. */
  wake?: Wake;
  /** Set within a transaction. */
  atomic?: true;
}

/** Has a job begin soon, and only if the transaction of this ctx comes to its end. */
export type Wake = (ctx: Ctx, job: WokenJob) => Promise<void>;

type WokenJob = 'mail.deliver' | 'payments.refund' | 'events.wind-up' | 'webhooks.deliver';

const ATTEMPTS = 4;

/**
 * All or nothing. Tried again when the database asks for it or the work was overtaken; nothing outside the database
 * may be called inside.
 */
export async function inTransaction<T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  if (ctx.atomic || !('$transaction' in ctx.db)) return work(ctx);
  const { db } = ctx;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.$transaction((tx) => work({ ...ctx, db: tx, ...within(tx), atomic: true }));
    } catch (error) {
      const again = error instanceof Overtaken || isWriteConflict(error) || isCounterRefusal(error);
      if (attempt === ATTEMPTS || !again) throw error;
    }
  }
}

function within(tx: Prisma.TransactionClient): Pick<Ctx, 'sql' | 'write'> {
  const sql: Sql = ({ text }, values) => tx.$queryRawUnsafe(text, ...values);
  return { sql, write: sql };
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
