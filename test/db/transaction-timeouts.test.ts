import type pg from 'pg';
import { addPrisma, type Database } from '../../src/db/database.ts';
import { prepareStatement } from '../../src/db/prepared-statement.ts';
import { openEmbeddedCopy } from '../support/harness/database.ts';

const TIMEOUT_MS = 300;

let database: Database;
beforeAll(async () => {
  const options = { transactionTimeoutMs: TIMEOUT_MS };
  database = addPrisma(await openEmbeddedCopy(options), options);
  await database.pool.query('CREATE TEMPORARY TABLE notes (n bigint)');
});
afterEach(() => database.pool.query('TRUNCATE notes'));
afterAll(() => database.close());

type Run = (text: string) => Promise<unknown>;

const ways: [string, (work: (run: Run) => Promise<unknown>) => Promise<unknown>][] = [
  [
    'of Prisma',
    (work) => database.prisma.$transaction((tx) => work((text) => tx.$executeRawUnsafe(text))),
  ],
  [
    'of statements',
    (work) => database.sqlTransaction((sql) => work((text) => sql(prepareStatement(text), []))),
  ],
];

const INSERT = 'INSERT INTO notes VALUES (1)';
const LONG = `INSERT INTO notes SELECT 1 FROM pg_sleep(${(TIMEOUT_MS + 50) / 1_000})`;
const SHORT = 'INSERT INTO notes SELECT count(*) FROM generate_series(1, 100000)';

async function countNotes(): Promise<number> {
  const { rows } = await database.pool.query('SELECT count(*)::int AS count FROM notes');
  return rows[0].count;
}

describe.each(ways)('a transaction %s that lasts too long is rolled back', (_, transact) => {
  afterEach(async () => {
    expect(await countNotes()).toBe(0);
    await transact((run) => run(INSERT));
    expect(await countNotes()).toBe(1);
  });

  it('after one long statement', async () => {
    await expect(transact((run) => run(LONG))).rejects.toThrow(/300 ms/);
  });

  it('after many short statements', async () => {
    const work = async (run: Run) => {
      for (let n = 0; n < 200; n += 1) await run(SHORT);
    };
    await expect(transact(work)).rejects.toThrow(/300 ms/);
  });

  it('after it has waited for something else', async () => {
    const work = (run: Run) => run(INSERT).then(() => new Promise(() => {}));
    transact(work).catch(() => {});
    await transact((run) => run('SELECT 1')); // waits for the end of the other transaction
  });
});

it.each([
  ['committed', async () => {}],
  [
    'failed',
    async () => {
      throw new Error('stop');
    },
  ],
])('a transaction that has %s runs no further statement', async (_, end) => {
  let run: Run = async () => {};
  await database
    .sqlTransaction((sql) => {
      run = (text) => sql(prepareStatement(text), []);
      return end();
    })
    .catch(() => {});
  await expect(run(INSERT)).rejects.toThrow('The transaction is over.');
  expect(await countNotes()).toBe(0);
});

describe('a transaction of Prisma', () => {
  it('sends a statement only after the response to the one before', async () => {
    const sent: string[] = [];
    const watched: Partial<pg.PoolClient>[] = [];
    // Says when the connection sends a statement, and when the response has arrived.
    const watch = (client: pg.PoolClient) => {
      const query = client.query.bind(client) as (config: pg.QueryConfig) => Promise<unknown>;
      watched.push(client);
      Object.assign(client, {
        query: (config: pg.QueryConfig) => {
          sent.push(config.text);
          return query(config).finally(() => sent.push(`end of ${config.text}`));
        },
      });
    };
    database.pool.on('acquire', watch);
    const texts = [INSERT, 'SELECT 1', 'SELECT 2'];
    await database.prisma
      .$transaction((tx) => Promise.all(texts.map((text) => tx.$executeRawUnsafe(text))))
      .finally(() => {
        database.pool.off('acquire', watch);
        for (const client of watched) delete client.query;
      });
    expect(sent).toEqual(['BEGIN', ...texts, 'COMMIT'].flatMap((text) => [text, `end of ${text}`]));
  });
});
