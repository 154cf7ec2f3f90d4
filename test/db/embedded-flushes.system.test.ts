import fs, { mkdtempSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from '../../src/db/database.ts';
import { connectEmbedded, createInstance } from '../../src/db/embedded/embedded-database.ts';
import type { EmbeddedInstance } from '../../src/db/embedded/supervisor.ts';
import { prepareDataDir } from '../support/harness/database.ts';
import { waitUntil } from '../support/harness/wait-until.ts';

const directory = mkdtempSync(join(tmpdir(), 'foyer-flushes-'));
const dataDir = join(directory, 'main');
const flush = fs.fsync;
type Callback = (error: NodeJS.ErrnoException | null) => void;
let connection: Connection;

beforeAll(async () => {
  await prepareDataDir(dataDir);
  const instance = await createInstance({ dataDir, fsync: true });
  countExecuted(instance);
  connection = connectEmbedded(instance, { reopen: { dataDir, fsync: true } });
  await connection.pool.query('CREATE TABLE flushed (n int)');
});
afterEach(() => replaceFlush(flush));
afterAll(async () => {
  await connection.close();
  rmSync(directory, { recursive: true });
});

function replaceFlush(replacement: (descriptor: number, callback: Callback) => void): void {
  fs.fsync = replacement as typeof fs.fsync;
  syncBuiltinESMExports();
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Holds back the flushes in the background until they are released. */
function holdFlushes() {
  const held: (() => void)[] = [];
  replaceFlush((descriptor, callback) => held.push(() => flush(descriptor, callback)));
  return held;
}

/** The transactions that PostgreSQL has executed, whether or not their responses were delivered. */
let executed = 0;

function countExecuted({ pglite }: EmbeddedInstance): void {
  const execute = pglite.execProtocolStream.bind(pglite);
  pglite.execProtocolStream = async (...message) => {
    const messages = await execute(...message);
    if (messages.some((response) => 'status' in response && response.status === 'I')) executed += 1;
    return messages;
  };
}

it('commits at the same time share a flush, and reads wait for what they have seen', async () => {
  const held = holdFlushes();
  const responses: string[] = [];
  const insert = (name: string) =>
    connection.pool.query('INSERT INTO flushed VALUES (1)').then(() => responses.push(name));
  const transaction = async (name: string) => {
    await connection.sqlTransaction(async (sql) => {
      await sql({ text: 'INSERT INTO flushed VALUES (1)' }, []);
      await sql({ text: 'INSERT INTO flushed VALUES (1)' }, []);
    });
    responses.push(name);
  };
  executed = 0;
  const first = insert('first');
  await waitUntil(() => held.length >= 1, 'the first insert flushes');
  const others = [insert('second'), insert('third'), transaction('transaction')];
  await waitUntil(() => executed >= 4, 'the others are executed');
  const read = connection.pool.query('SELECT count(*)::int AS n FROM flushed').then(({ rows }) => {
    responses.push('read');
    return rows[0].n;
  });
  await waitUntil(() => executed >= 5, 'the read is executed');
  expect([held.length, responses]).toEqual([1, []]);

  held[0]?.();
  await first;
  await waitUntil(() => held.length >= 2, 'the others flush');
  expect(responses).toEqual(['first']);
  held[1]?.();
  await Promise.all([...others, read]);
  expect([held.length, await read]).toEqual([2, 5]);
  expect(responses.toSorted()).toEqual(['first', 'read', 'second', 'third', 'transaction']);
});

it('a client that leaves a transaction open does not keep others from the database', async () => {
  for (const release of [false, true]) {
    const client = await connection.pool.connect();
    await client.query('BEGIN');
    await client.query('DELETE FROM flushed');
    client.release(release);
    const { rows } = await connection.pool.query('SELECT count(*)::int AS n FROM flushed');
    expect(rows).toEqual([{ n: 5 }]);
  }
});

it('clients share the statements that one of them has prepared', async () => {
  const statement = { name: 'shared', text: 'SELECT $1::int AS n' };
  const results = await Promise.all(
    [1, 2, 3].map((n) => connection.pool.query({ ...statement, values: [n] })),
  );
  expect(results.flatMap(({ rows }) => rows)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

it('a failed flush acknowledges nothing, and the database opens again', async () => {
  const failing: (() => void)[] = [];
  replaceFlush((_descriptor, callback) => {
    const error = Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
    failing.push(() => callback(error));
  });
  const insert = connection.pool.query('INSERT INTO flushed VALUES (2)');
  await waitUntil(() => failing.length > 0, 'the insert flushes');
  // It flushes the same file again, successfully: the system reports an error once.
  const checkpoint = connection.pool.query('CHECKPOINT');
  const read = connection.pool.query('SELECT n FROM flushed');
  const outcomes = Promise.allSettled([insert, checkpoint, read]);
  for (let turn = 0; turn < 100; turn += 1) await nextTurn();
  for (const fail of failing) fail();
  for (const outcome of await outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'EIO' } });
  await expect(connection.pool.query('SELECT 1')).rejects.toMatchObject({ code: '57P03' });
  replaceFlush(flush);
  const isOpen = () =>
    connection.pool.query('SELECT 1').then(
      () => true,
      () => false,
    );
  await waitUntil(isOpen, 'the database opens again');
  const { rows } = await connection.pool.query(
    'SELECT count(*)::int AS n FROM flushed WHERE n = 1',
  );
  expect(rows).toEqual([{ n: 5 }]);
});
