import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { system } from '../auth/viewer.ts';
import { type Config, readConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrations.ts';
import { DomainError } from '../errors.ts';
import { createPaymentProvider } from '../integrations/payments/create-provider.ts';
import { startWriteBehind } from '../jobs/write-behind.ts';
import { createLogger } from '../server/logger.ts';

interface CommandContext {
  ctx: Context;
  database: Database;
  config: Config;
}

/** Every command says what it did in words, or with --json as one object. */
export const addJsonOption = (command: Command) =>
  command.option('--json', 'answer with one JSON object');

export function printResult(options: { json?: boolean }, object: object, words: string): void {
  process.stdout.write(options.json ? `${JSON.stringify(object)}\n` : `${words}\n`);
}

/** Opens the configured database, brings it up to date, and closes it again whatever happens. */
export async function withDatabase<T>(
  work: (session: CommandContext) => Promise<T>,
  config = readConfig(process.env),
): Promise<T> {
  const database = await openDatabase(config);
  try {
    await migrate(database.pool);
    const log = createLogger(config.logLevel);
    const now = () => new Date();
    const writeBehind = startWriteBehind({ sql: database.pipelinedSql, now, log });
    const ctx: Context = {
      db: database.prisma,
      pipelinedSql: database.pipelinedSql,
      lockingSql: database.lockingSql,
      viewer: system,
      now,
      log,
      writeBehind,
      payments: createPaymentProvider(config),
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
export const readInputFile = (path: string): Promise<Buffer> =>
  readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new DomainError('BAD_REQUEST', `${path} cannot be read (${error.code}).`, {
      reason: 'FILE_UNREADABLE',
    });
  });
