import {
  type Connection,
  createAdapter,
  createPrisma,
  type Database,
} from '../../../../src/db/database.ts';

/** A client that is reused by several test files, one after the other, so that it plans each query once per worker. */
interface Reusable {
  prisma: Database['prisma'];
  /** The pool of the database that it uses now. */
  pool: Connection['pool'] | undefined;
}

const idle: Reusable[] = [];

/** Adds Prisma to a connection. Closing it disconnects the client for the next test file. */
export function addReusedPrisma(connection: Connection): Database {
  const reusable = idle.pop() ?? create();
  reusable.pool = connection.pool;
  return {
    ...connection,
    prisma: reusable.prisma,
    close: async () => {
      await reusable.prisma.$disconnect();
      reusable.pool = undefined;
      idle.push(reusable);
      await connection.close();
    },
  };
}

function create(): Reusable {
  const reusable: Reusable = {
    pool: undefined,
    prisma: createPrisma({
      provider: 'postgres',
      adapterName: '@prisma/adapter-pg',
      connect: async () => {
        if (!reusable.pool) throw new Error('This database is closed.');
        return createAdapter(reusable.pool).connect();
      },
    }),
  };
  return reusable;
}
