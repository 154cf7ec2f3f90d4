import type { Database } from '../../../src/db/database.ts';
import { Prisma } from '../../../src/db/generated/client.ts';
import type { Sql } from '../../../src/db/prepared-statement.ts';

/**
 * The same database with hand-written statements that take locks changed, for negative controls. Each changed statement is
 * followed by `pause`, in which other transactions can overtake.
 */
export function rewriteSql(
  database: Database,
  rewrite: (text: string) => string,
  pause: () => Promise<unknown> = async () => {},
): Database {
  const change =
    (sql: Sql): Sql =>
    async ({ text }, values) => {
      const rewritten = rewrite(text);
      const rows = await sql<never>({ text: rewritten }, values);
      if (rewritten !== text) await pause();
      return rows;
    };
  return {
    ...database,
    lockingSql: change(database.lockingSql),
    sqlTransaction: (work) => database.sqlTransaction((sql) => work(change(sql))),
  };
}

/**
 * The same database with the hand-written statements of Prisma's transactions changed, for negative controls. The first
 * `meeting.count` statements that contain `meeting.before` wait for each other, so that each transaction reads before any writes.
 */
export function rewriteTransactions(
  database: Database,
  rewrite: (text: string) => string,
  meeting: { before: string; count: number } | null = null,
): Database {
  const meet = createMeeting(meeting?.count ?? 1);
  const prisma = database.prisma.$extends({
    query: {
      $queryRawUnsafe: async ({ args, query }) => {
        const text = rewrite(String(args[0]));
        if (meeting && text.includes(meeting.before)) await meet();
        return query([text, ...args.slice(1)]);
      },
      $queryRaw: async ({ args, query }) =>
        query(Prisma.sql(rewrite(args.text).split(/\$\d+/), ...args.values)),
    },
  });
  return { ...database, prisma: prisma as unknown as Database['prisma'] };
}

/** Lets the first callers continue when `count` of them have arrived, and later ones at once. */
export function createMeeting(count: number): () => Promise<void> {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  let arrived = 0;
  return () => {
    arrived += 1;
    if (arrived === count) resolve();
    return promise;
  };
}
