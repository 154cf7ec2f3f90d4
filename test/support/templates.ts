import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { addPrisma, type Connection } from '../../src/db/database.ts';
import { connectEmbedded, createPglite } from '../../src/db/embedded/embedded-database.ts';
import { migrate } from '../../src/db/migrations.ts';
import { openPostgres } from '../../src/db/postgres/postgres-database.ts';
import { seedForTests } from './seed.ts';
import { KEEP_ROWS, openKept } from './worker/embedded.ts';

/** Made once for a whole run, each upon the one before, copied for every test file. */
export type Content = 'empty' | 'seeded';
const CONTENTS: Content[] = ['empty', 'seeded'];

export const serverUrl = process.env.TEST_DATABASE_URL;

/** Makes the templates; gives back how to remove them. */
export async function makeTemplates(): Promise<() => Promise<void>> {
  return serverUrl ? makeOnServer(serverUrl) : makeFiles();
}

/** A database of one's own with that content. */
export async function openCopy(content: Content): Promise<Connection> {
  return serverUrl ? copyOnServer(serverUrl, content) : openKept(templateFile(content));
}

async function makeFiles() {
  const pglite = await createPglite();
  for (const command of WITHOUT_SPARES) await pglite.exec(command);
  const connection = connectEmbedded(pglite);
  for (const content of CONTENTS) {
    await fill(connection, content);
    await pglite.exec('DROP SCHEMA IF EXISTS pristine CASCADE');
    await pglite.exec(KEEP_ROWS);
    const dump = await pglite.dumpDataDir('none');
    await writeFile(templateFile(content), Buffer.from(await dump.arrayBuffer()));
  }
  await connection.close();
  return async () => {};
}

const templateFile = (content: Content) => join(process.env.TEST_RUN ?? '', content);

// Every worker unpacks copies, and two thirds of its files would be databases that nobody opens.
const WITHOUT_SPARES = [
  'UPDATE pg_database SET datistemplate = false',
  'DROP DATABASE template0',
  'DROP DATABASE template1',
];

/**
 * A directory with a migrated embedded database, for processes whose first start is not the subject. Where the tests run
 * on a server there are no templates of it: the first start makes it.
 */
export async function prepareDataDir(dataDir: string): Promise<void> {
  if (serverUrl) return;
  await mkdir(dataDir, { recursive: true });
  await promisify(execFile)('tar', ['-xf', templateFile('empty'), '-C', dataDir]);
}

async function makeOnServer(url: string) {
  process.env.TEST_TEMPLATES = `foyer_test_${process.pid}`;
  for (const content of CONTENTS) {
    await administer(url, `CREATE DATABASE ${templateName(content)}`);
    const connection = await openPostgres(within(url, templateName(content)));
    await fill(connection, content);
    await connection.close();
  }
  return async () => {
    for (const content of CONTENTS)
      await administer(url, `DROP DATABASE ${templateName(content)} WITH (FORCE)`);
  };
}

let copies = 0;

async function copyOnServer(url: string, content: Content): Promise<Connection & { url: string }> {
  copies += 1;
  const name = `${templateName(content)}_${process.pid}_${copies}_${Math.random().toString(36).slice(2, 8)}`;
  await administer(url, `CREATE DATABASE ${name} TEMPLATE ${templateName(content)}`);
  const connection = await openPostgres(within(url, name));
  return {
    ...connection,
    url: within(url, name),
    close: async () => {
      await connection.close();
      await administer(url, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

const templateName = (content: Content) => `${process.env.TEST_TEMPLATES}_${content}`;

export function within(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

async function fill(connection: Connection, content: Content): Promise<void> {
  await migrate(connection.pool);
  if (content === 'empty') return;
  await seedForTests(addPrisma(connection));
}

export async function administer(url: string, command: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(command);
  } finally {
    await client.end();
  }
}
