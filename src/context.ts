import type { Logger } from 'pino';
import type { Viewer } from './auth/viewer.ts';
import { type BatchQueue, createBatchQueue } from './core/batch-queue.ts';
import { createFairQueue, type FairQueue } from './core/fair-queue.ts';
import { createKeyedQueue, type KeyedQueue } from './core/keyed-queue.ts';
import { createSharedCalls, type SharedCalls } from './core/shared-calls.ts';
import { type Tracer, withSpan } from './core/tracing.ts';
import type { WorkMetrics } from './core/work-metrics.ts';
import { isCounterViolation, isWriteConflict } from './db/constraint-errors.ts';
import type { Prisma, PrismaClient } from './db/generated/client.ts';
import type { KeyedWrite } from './db/keyed-write.ts';
import type { Sql } from './db/prepared-statement.ts';
import type { SqlTransaction } from './db/sql-transaction.ts';
import { RetryableConflict } from './errors.ts';
import type { PaymentProvider } from './integrations/payments/provider.ts';

/** Everything a service function needs besides its input. */
export interface Context {
  db: PrismaClient | Prisma.TransactionClient;
  /** For hot reads. All requests share its connections, so statements must not wait for locks. */
  pipelinedSql: Sql;
  /** For hand-written statements that take locks. */
  lockingSql: Sql;
  /** For hand-written statements that belong together. Faster than `runInTransaction`, which Prisma needs. */
  sqlTransaction: SqlTransaction;
  viewer: Viewer;
  /** The client's IPv4 address or IPv6 /64. Absent on the command line and in jobs. */
  clientAddress?: string;
  /** The `X-Request-Id` of the response. Absent on the command line and in jobs. */
  requestId?: string;
  /** Returns a signal that aborts if the caller disconnects, so that nobody would get a response. Absent without a connection. */
  getDisconnectSignal?: () => AbortSignal;
  /** The name of the program that calls a tool, as it says itself. Absent outside of MCP. */
  agent?: string;
  /** The name of the job. Absent outside of jobs. */
  job?: string;
  now(): Date;
  log: Logger;
  /** Absent in processes that serve no metrics, such as the command line. */
  metrics?: WorkMetrics;
  /** Absent unless traces are exported. */
  tracer?: Tracer;
  payments: PaymentProvider;
  queues: Queues;
  /** The public URL of the service, for links in emails. */
  baseUrl: string;
  /** The sender of emails: a name with an address, or an address. */
  mailFrom: string;
  /** Whether emails are sent. Without a mail server they are only stored. */
  hasMailServer: boolean;
  /** Whether webhooks can target private addresses. */
  allowsPrivateWebhooks: boolean;
  /** Absent in processes without jobs, such as the command line. A scheduled job then does the work later. */
  triggerJob?: JobTrigger;
  /** Set if the service claims the idempotency key and stores the response, in a transaction that it shares with others. */
  keyedWrite?: KeyedWrite;
  /** Set for a mutation with `ifUpdatedAt`. `recordUpdated` compares it once it has locked the row. */
  expectedVersion?: ExpectedVersion;
  /** How long a worker leases work for, if not for the usual time. */
  leaseMs?: number;
  /** Set within a transaction. */
  isInTransaction?: true;
}

/** The version of a row that its editor has read. */
interface ExpectedVersion {
  /** The primary key of the row. */
  key: string;
  updatedAt: Date;
  /** Whether it was compared: the update changes the version. */
  isConfirmed: boolean;
}

/** Queues of this process for work that would otherwise wait in the database and hold a connection there. */
interface Queues {
  /** By membership, one at a time: bookings lock it. */
  bookings: KeyedQueue;
  /** By location, one at a time. */
  checkIns: KeyedQueue;
  /** By budget, two at a time. */
  lookups: KeyedQueue;
  /** By event, or by day pass type and date: orders of the same stock, many at a time in one transaction. */
  orders: BatchQueue;
  /** Reads that waiting callers share: the offer before an order, and lists that the websites of a space ask for. */
  sharedReads: SharedCalls;
  /** By caller: writes with an idempotency key, which are one transaction each. */
  keyedWrites: FairQueue;
  /** By caller: GraphQL queries, whose statements would otherwise wait in the database before those of others. */
  queries: FairQueue;
  /** Rendering PDFs keeps the process busy. Callers with many leave a place to others. */
  pdfs: FairQueue;
  /** By network. Each hash of a password takes a thread of the four on which files, compression and lookups of names wait too. */
  hashes: FairQueue;
  /** By account: a file and what is read from it need much memory, so each import waits for its place before it reads the file. */
  imports: FairQueue;
  /** The ids of the uploaded files whose imports wait or run: once for each import, since a dry run can wait beside another. */
  importFiles: Set<{ fileId: string }>;
}

// Of other work, at most one piece for each request in progress waits, which the request gate limits. One caller takes a quarter of these
// at most, so that others can wait too.
const WAITING_IMPORTS = { max: 20, perCaller: 5 };
const WAITING_HASHES = { max: 200, perCaller: 50 };

/** Half of the buyers of a rush: while one half is in the database, this process works on the other. */
const MAX_ORDERS_PER_BATCH = 32;

/** More than the database works on at once. So many statements of one caller wait before one of another. */
const MAX_QUERIES_OF_CALLER = 32;

const MAX_KEYED_WRITES = 6;

/** Keyed writes leave a connection to other work, and those of one caller leave places to other callers. */
function sizeKeyedWrites(connections: number) {
  const places = Math.min(MAX_KEYED_WRITES, Math.max(1, connections - 1));
  return { places, perCaller: Math.ceil(places / 2) };
}

/** Creates the queues of a process with a pool of so many connections for all work. */
export const createQueues = (connections: number): Queues => ({
  bookings: createKeyedQueue(),
  checkIns: createKeyedQueue(),
  lookups: createKeyedQueue(2),
  orders: createBatchQueue(MAX_ORDERS_PER_BATCH),
  sharedReads: createSharedCalls(),
  keyedWrites: createFairQueue(sizeKeyedWrites(connections)),
  queries: createFairQueue({
    places: 2 * MAX_QUERIES_OF_CALLER,
    perCaller: MAX_QUERIES_OF_CALLER,
  }),
  pdfs: createFairQueue({ places: 2, perCaller: 1 }),
  hashes: createFairQueue({ places: 2, perCaller: 1, waiting: WAITING_HASHES }),
  imports: createFairQueue({ places: 1, perCaller: 1, waiting: WAITING_IMPORTS }),
  importFiles: new Set(),
});

/** Starts a job soon. Within a transaction, the job starts only if the transaction commits. */
export type JobTrigger = (ctx: Context, job: TriggerableJob) => Promise<void>;

type TriggerableJob =
  | 'mail.deliver'
  | 'payments.refund'
  | 'events.cancel-orders'
  | 'waitlist.offer'
  | 'events.announce-moves'
  | 'closures.announce'
  | 'mailings.send'
  | 'webhooks.deliver';

const MAX_TRANSACTION_ATTEMPTS = 4;

/**
 * Runs the work in a transaction, or in the current one, and retries it after conflicts with other transactions. Since the
 * work can run several times, it must not call anything outside the database.
 * @throws the errors of `work`; the conflict itself if all retries fail.
 */
export async function runInTransaction<T>(
  ctx: Context,
  work: (ctx: Context) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const { db, tracer } = ctx;
  if (ctx.isInTransaction || !isClient(db)) return work(ctx);
  const runAttempts = () => retryTransaction(ctx, db, work, options);
  return tracer === undefined ? runAttempts() : withSpan(tracer, 'transaction', {}, runAttempts);
}

interface TransactionOptions {
  /** How long the transaction may take. By default as long as that of a request. */
  timeoutMs?: number;
}

const isClient = (db: Context['db']): db is PrismaClient => '$transaction' in db;

async function retryTransaction<T>(
  ctx: Context,
  db: PrismaClient,
  work: (ctx: Context) => Promise<T>,
  { timeoutMs }: TransactionOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.$transaction(
        (tx) =>
          work({
            ...ctx,
            db: tx,
            ...toTransactionSql(tx),
            isInTransaction: true,
            ...(ctx.expectedVersion && {
              expectedVersion: { ...ctx.expectedVersion, isConfirmed: false },
            }),
          }),
        timeoutMs === undefined ? {} : { timeout: timeoutMs },
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
): Pick<Context, 'pipelinedSql' | 'lockingSql' | 'sqlTransaction'> {
  const sql: Sql = ({ text }, values) => tx.$queryRawUnsafe(text, ...values);
  return { pipelinedSql: sql, lockingSql: sql, sqlTransaction: (work) => work(sql) };
}
