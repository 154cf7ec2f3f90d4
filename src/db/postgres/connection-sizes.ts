/** Four instances fit into the 97 connections that PostgreSQL has by default. With 9, ten do. */
export const DEFAULT_CONNECTIONS = 21;
/** With fewer, work that holds one connection and needs another could wait for itself. */
export const MIN_CONNECTIONS = 8;
export const MAX_CONNECTIONS = 100;

export interface ConnectionSizes {
  /** For Prisma, the job queue, imports and migrations: one for each piece of work. */
  pool: number;
  /** For all reads with one plan, which need not wait for each other. */
  reads: number;
  /** For all reads that are planned for their values. */
  customPlanReads: number;
  /** For all single statements that can wait for a lock. */
  writes: number;
  /** For transactions of several statements: one for each. */
  transactions: number;
}

/** Divides the connections of one instance by their use. Commits on several connections share a flush, so writes have two at least. */
export function divideConnections(total: number): ConnectionSizes {
  const reads = Math.max(1, Math.floor(total / 10));
  const writes = Math.max(2, Math.floor(total / 7));
  const transactions = Math.max(2, Math.floor(total / 5));
  const pool = total - 2 * reads - writes - transactions;
  return { pool, reads, customPlanReads: reads, writes, transactions };
}
