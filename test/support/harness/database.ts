import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Context } from '../../../src/context.ts';
import type { Tracer } from '../../../src/core/tracing.ts';
import { addPrisma, type Connection, type Database } from '../../../src/db/database.ts';
import { connectEmbedded, createPglite } from '../../../src/db/embedded/embedded-database.ts';
import { migrate } from '../../../src/db/migrations.ts';
import { openPostgres } from '../../../src/db/postgres/postgres-database.ts';
import { createSystemContext, seedForTests } from '../factories/seed.ts';
import { copyTemplates, hashSources, keepTemplates } from './template-cache.ts';
import { COPY_ROWS, openReusable } from './worker/embedded.ts';

export interface TestDatabase {
  database: Database;
  /** Of the system, which may do everything. */
  ctx: Context;
  close(): Promise<void>;
}

/** A migrated database for this test file alone; `seeded` holds the demo space as of NOW. */
export async function openTestDatabase(
  content: Content = 'empty',
  tracer?: Tracer,
): Promise<TestDatabase> {
  const database = addPrisma(await openCopy(content), { tracer });
  return {
    database,
    ctx: createSystemContext(database),
    close: () => database.close(),
  };
}

/** Counts Prisma's statements that read or write this table while `work` runs. */
export async function countStatements(
  { database: { pool } }: { database: Pick<Database, 'pool'> },
  table: string,
  work: () => Promise<unknown>,
): Promise<number> {
  const query = pool.query;
  let count = 0;
  pool.query = ((...args: [{ text?: string }]) => {
    if (args[0].text?.includes(`"${table}"`)) count += 1;
    return Reflect.apply(query, pool, args);
  }) as typeof query;
  try {
    await work();
  } finally {
    pool.query = query;
  }
  return count;
}

/** The templates, made once a run, each on top of the one before. Every test file gets a copy. */
export type Content = 'empty' | 'seeded';
const CONTENTS: Content[] = ['empty', 'seeded'];

export const serverUrl = process.env.TEST_DATABASE_URL;

/** Creates the templates and returns a function that removes them. */
export async function createTemplates(): Promise<() => Promise<void>> {
  return serverUrl ? createOnServer(serverUrl) : createTemplateFiles();
}

/** Opens a copy of the template with this content. */
export async function openCopy(content: Content): Promise<Connection> {
  return serverUrl ? copyOnServer(serverUrl, content) : openReusable(templateFile(content));
}

/** Opens an embedded database without rows, for tests of embedded databases. */
export const openEmbeddedCopy = (options: { transactionTimeoutMs?: number } = {}) =>
  openReusable(templateFile('empty'), options);

async function createTemplateFiles() {
  const directory = process.env.TEST_RUN ?? '';
  const key = hashSources();
  if (!(await copyTemplates(key, CONTENTS, directory))) {
    await fillTemplateFiles();
    await keepTemplates(key, CONTENTS, directory);
  }
  return async () => {};
}

async function fillTemplateFiles(): Promise<void> {
  const pglite = await createPglite();
  for (const command of DROP_UNUSED_DATABASES) await pglite.exec(command);
  const connection = connectEmbedded({ pglite }, SLOW_TRANSACTIONS);
  for (const content of CONTENTS) {
    await fill(connection, content);
    await pglite.exec('DROP SCHEMA IF EXISTS pristine CASCADE');
    await pglite.exec(COPY_ROWS);
    const dump = await pglite.dumpDataDir('none');
    await writeFile(templateFile(content), Buffer.from(await dump.arrayBuffer()));
  }
  await connection.close();
}

// Busy machines need minutes for the sample data, which is one transaction.
const SLOW_TRANSACTIONS = { transactionTimeoutMs: 600_000 };

const templateFile = (content: Content) => join(process.env.TEST_RUN ?? '', content);

// Every worker unpacks copies. Without these, two thirds of the files would belong to databases that nothing opens.
const DROP_UNUSED_DATABASES = [
  'UPDATE pg_database SET datistemplate = false',
  'DROP DATABASE template0',
  'DROP DATABASE template1',
];

/**
 * Prepares a data directory with a migrated embedded database, for tests of processes that are not about the first start.
 * When the tests run on a server there is no embedded template, so the first start creates the database.
 */
export async function prepareDataDir(dataDir: string): Promise<void> {
  if (serverUrl || process.env.TEST_RUN === undefined) return;
  await mkdir(dataDir, { recursive: true });
  await promisify(execFile)('tar', ['-xf', templateFile('empty'), '-C', dataDir]);
}

async function createOnServer(url: string) {
  process.env.TEST_TEMPLATES = `foyer_test_${process.pid}`;
  for (const content of CONTENTS) {
    await runAsAdmin(url, `CREATE DATABASE ${templateName(content)}`);
    const connection = await openPostgres(withDatabaseName(url, templateName(content)));
    await fill(connection, content);
    await connection.close();
  }
  return async () => {
    for (const content of CONTENTS)
      await runAsAdmin(url, `DROP DATABASE ${templateName(content)} WITH (FORCE)`);
  };
}

/** Races need more than the default, so that requests wait for each other and not for a connection. */
const CONNECTIONS = 21;
let copies = 0;

async function copyOnServer(url: string, content: Content): Promise<Connection & { url: string }> {
  copies += 1;
  const name = `${templateName(content)}_${process.pid}_${copies}_${Math.random().toString(36).slice(2, 8)}`;
  await runAsAdmin(url, `CREATE DATABASE ${name} TEMPLATE ${templateName(content)}`);
  const connection = await openPostgres(withDatabaseName(url, name), CONNECTIONS);
  return {
    ...connection,
    url: withDatabaseName(url, name),
    close: async () => {
      await connection.close();
      await runAsAdmin(url, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

const templateName = (content: Content) => `${process.env.TEST_TEMPLATES}_${content}`;

export function withDatabaseName(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

async function fill(connection: Connection, content: Content): Promise<void> {
  await migrate(connection.pool);
  if (content === 'empty') return;
  await seedForTests(addPrisma(connection, SLOW_TRANSACTIONS));
}

export async function runAsAdmin(url: string, command: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(command);
  } finally {
    await client.end();
  }
}
