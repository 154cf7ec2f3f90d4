import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { system } from '../auth/viewer.ts';
import { type Config, readConfig } from '../config.ts';
import type { Ctx } from '../context.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrations.ts';
import { DomainError } from '../errors.ts';
import { startWriteBehind } from '../jobs/write-behind.ts';
import { createLog } from '../log.ts';
import { openPayments } from '../payments/open.ts';

interface Session {
  ctx: Ctx;
  database: Database;
  config: Config;
}

/** Every command says what it did in words, or with --json as one object. */
export const withJson = (command: Command) =>
  command.option('--json', 'answer with one JSON object');

export function say(options: { json?: boolean }, object: object, words: string): void {
  process.stdout.write(options.json ? `${JSON.stringify(object)}\n` : `${words}\n`);
}

/** Opens the configured database, brings it up to date, and closes it again whatever happens. */
export async function onDatabase<T>(
  work: (session: Session) => Promise<T>,
  config = readConfig(process.env),
): Promise<T> {
  const database = await openDatabase(config);
  try {
    await migrate(database.pool);
    const log = createLog(config.logLevel);
    const now = () => new Date();
    const writeBehind = startWriteBehind({ sql: database.sql, now, log });
    const ctx: Ctx = {
      db: database.prisma,
      sql: database.sql,
      write: database.write,
      viewer: system,
      now,
      log,
      writeBehind,
      payments: openPayments(config),
      baseUrl: config.baseUrl,
    };
    try {
      return await work({ ctx, database, config });
    } finally {
      await writeBehind.stop();
    }
  } finally {
    await database.close();
  }
}

/** The file that was named on the command line. Throws BAD_REQUEST when it cannot be read. */
export const readGiven = (path: string): Promise<Buffer> =>
  readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new DomainError('BAD_REQUEST', `${path} cannot be read (${error.code}).`, {
      reason: 'FILE_UNREADABLE',
    });
  });
