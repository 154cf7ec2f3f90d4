import { open, readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { system } from '../auth/viewer.ts';
import { type Config, readConfig } from '../config.ts';
import { type Context, createQueues } from '../context.ts';
import { MAX_LIMIT, type Page, type PageRequest } from '../core/pagination.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrations.ts';
import { DomainError } from '../errors.ts';
import { createPaymentProvider } from '../integrations/payments/create-provider.ts';
import { createLogger } from '../server/logger.ts';

interface CommandContext {
  ctx: Context;
  database: Database;
  config: Config;
}

/** Commands print text for people, or one JSON object with --json. */
export const addJsonOption = (command: Command) =>
  command.option('--json', 'print one JSON object instead of text');

export function printResult(options: { json?: boolean }, object: object, text: string): void {
  process.stdout.write(options.json ? `${JSON.stringify(object)}\n` : `${text}\n`);
}

/** How to run another command, in the form in which this one was started. */
export const formatCommand = (command: string): string =>
  process.env.npm_lifecycle_event === 'foyer'
    ? `npm run foyer -- ${command}`
    : `node dist/cli/main.js ${command}`;

/** Reads every page of a list. */
export async function listAll<Item>(list: (page: PageRequest) => Promise<Page<Item>>) {
  const all: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ limit: MAX_LIMIT, cursor });
    all.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}

/**
 * Opens the configured database, applies its migrations, and always closes it again.
 * @throws NOT_FOUND if there is no embedded database, unless `create` is set.
 */
export async function withDatabase<T>(
  work: (session: CommandContext) => Promise<T>,
  { create = false }: { create?: boolean } = {},
): Promise<T> {
  const config = readConfig(process.env);
  const database = await openDatabase({ ...config, mustExist: !create });
  try {
    await migrate(database.pool);
    const log = createLogger(config.logLevel);
    const now = () => new Date();
    const ctx: Context = {
      db: database.prisma,
      pipelinedSql: database.pipelinedSql,
      lockingSql: database.lockingSql,
      sqlTransaction: database.sqlTransaction,
      viewer: system,
      now,
      log,
      payments: createPaymentProvider(config),
      queues: createQueues(database.pool.options.max),
      baseUrl: config.baseUrl,
      mailFrom: config.mailFrom,
      hasMailServer: config.smtpUrl !== undefined,
      allowsPrivateWebhooks: config.allowPrivateWebhookTargets,
    };
    return await work({ ctx, database, config });
  } finally {
    await database.close();
  }
}

/**
 * Reads a file named on the command line.
 *
 * @throws BAD_REQUEST if the file cannot be read.
 */
export const readInputFile = (path: string): Promise<Buffer> =>
  readFile(path).catch(explainUnreadable(path));

/** @throws BAD_REQUEST if the file cannot be read. */
export const assertReadable = async (path: string): Promise<void> => {
  const file = await open(path).catch(explainUnreadable(path));
  await file
    .read({ buffer: Buffer.alloc(1) })
    .catch(explainUnreadable(path))
    .finally(() => file.close());
};

const explainUnreadable =
  (path: string) =>
  (error: NodeJS.ErrnoException): never => {
    throw new DomainError(
      'BAD_REQUEST',
      `Cannot read ${path} (${error.code}). Check the path and its permissions.`,
      { reason: 'FILE_UNREADABLE' },
    );
  };
