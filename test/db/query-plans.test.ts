import type pg from 'pg';
import { NotPlannable } from '../../src/graphql/planned/render-sql.ts';
import { jobs } from '../../src/jobs/job-definitions.ts';
import { MAX_SORTED_ROWS } from '../../src/lists/row-range.ts';
import { generateHistory } from '../benchmarks/history/generate.ts';
import { generateRecords } from '../benchmarks/history/generate-records.ts';
import { listOperations, type Operation } from '../benchmarks/history/operations.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { inflateStatistics } from '../support/harness/large-statistics.ts';
import {
  captureStatements,
  explainScans,
  type Scan,
  type SentStatement,
} from '../support/harness/query-plans.ts';
import { findListFields } from '../support/list-walk/list-fields.ts';
import { type ListOperation, writeListOperations } from '../support/list-walk/list-operations.ts';
import { renderStatement } from '../support/list-walk/render-statements.ts';

// Every list with every filter, and every job, in a space whose tables all have many times more rows than a scan may read.

const SIZE = {
  bookings: 14_000,
  checkIns: 5_000,
  orders: 5_000,
  members: 5_000,
  displays: 5_000,
  mails: 5_000,
  futureBookings: 40,
  futureEvents: 10,
  visitsPerDay: 60,
};
const RECORDS = 5_000;
/** The most rows that a scan may read: some days of traffic, and less than any table of the history. */
const MAX_ROWS = 2_500;
/** A scan that reads more pages than its rows explain walks through an index. */
const MAX_BLOCKS_PER_LOOP = 60;
const MAX_BLOCKS_PER_ROW = 4;

/** Scans that may read more, by the whole name of the operation, each with the reason. */
const ALLOWED: { names: RegExp; table: string; reason: string }[] = [
  {
    names: /^display silence monitor, a minute$/,
    table: 'display_heartbeats',
    reason:
      'Reads the displays that are online. An index of last_seen_at would slow down each heartbeat.',
  },
  {
    names: /^job rate-limits\.purge$/,
    table: 'rate_limits',
    reason: 'Rows live until their window ends. An index would slow down each request that counts.',
  },
  {
    names: /^job seat-usages\.purge$/,
    table: 'seat_usages',
    reason: 'Rows live for a week. An index would slow down each order.',
  },
  {
    names: /^job seat-usages\.purge$/,
    table: 'orders',
    reason: 'Reads the orders of sixty days. An index of their keys would slow down each order.',
  },
  {
    names: /^(Location\.)?announcements\([^()]*\)( of (busy|idle))?$/,
    table: 'announcements',
    reason: 'People write announcements by hand. Ten years have some thousands.',
  },
  {
    names: /^apiTokens\((active: false|q: [^,()]+), (\w+, first|count)\)$/,
    table: 'api_tokens',
    reason: 'People create keys by hand. There are few.',
  },
  {
    names: /^memberships\((activeOn: [^,()]+|planId: busy), (\w+, first|count)\)$/,
    table: 'memberships',
    reason:
      'Up to 10,000 memberships of a plan or a day are sorted. Most of the generated ones belong to one plan.',
  },
  {
    names:
      /^Plan\.memberships\(((activeOn|endsFrom|endsTo): [^,()]+, )?(CREATED_AT|STARTS_ON)_(ASC|DESC), first\) of busy$/,
    table: 'memberships',
    reason:
      'Up to 10,000 memberships of a plan are sorted. Most of the generated ones belong to one plan.',
  },
  {
    names: /^Announcement\.displays\([^()]*\) of (busy|idle)$/,
    table: 'displays',
    reason: 'An announcement for all locations is shown on all displays, up to 10,000 are sorted.',
  },
  {
    names:
      /^(Location\.)?checkIns\(result: (?!ADMITTED,)[A-Z_]+, (RECORDED_)?AT_(ASC|DESC), first\)( of busy)?$/,
    table: 'check_ins',
    reason:
      'Rejections and check-outs are deleted after some months, so that the oldest come after all older visits.',
  },
  {
    names:
      /^(Location\.)?bookings\(status: (PENDING, \w+_ASC|NO_SHOW, \w+_DESC), first\)( of busy)?$/,
    table: 'bookings',
    reason:
      'Only future bookings are pending and only past ones missed. This space has few past ones between the future ones.',
  },
  {
    names: /^(Location\.)?bookings\((from|to): [^,()]+, CREATED_AT_(ASC|DESC), first\)( of busy)?$/,
    table: 'bookings using bookings_week_created_at_id_idx',
    reason:
      'All bookings of the week in which the period begins or ends. This space has two thousand after it.',
  },
  {
    names: /^(Location\.)?bookings\(payment: (NOT_DUE|PAID|UNPAID), \w+, first\)( of busy)?$/,
    table: 'bookings',
    reason:
      'Bookings to come are unpaid and past ones paid, so that one kind comes after all of the other. The panel asks for them with days.',
  },
  {
    names: /^bookings\(payment: NOT_DUE, count\)$/,
    table: 'bookings',
    reason: 'Counts up to 1,000 rows, of which one in twenty costs nothing.',
  },
  {
    names: /^tickets\(status: CANCELLED, count\)$/,
    table: 'tickets',
    reason: 'Counts up to 1,000 rows, of which one in twenty is cancelled.',
  },
  { names: /^job pairings\.purge$/, table: 'display_pairings', reason: 'Rows live for a day.' },
  {
    names: /^job retention\.purge$/,
    table: 'order_access_tokens',
    reason: 'Reads links older than half a year whose event is not over, which are few.',
  },
];

/** Whether the scan reads the table itself or one of its indexes, whose names begin with the table's. */
const isScanOf = (table: string, { name }: Scan): boolean =>
  new RegExp(`( on ${table}( using |$))|(^Bitmap Index Scan using ${table}_)`).test(name);

const isAllowed = ({ name }: { name: string }, scan: Scan): boolean =>
  ALLOWED.some(({ names, table }) => names.test(name) && isScanOf(table, scan));

let app: TestApp;
let client: pg.PoolClient | undefined;
let ids: Record<string, string>;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  const { pool } = app.database;
  await generateHistory(pool, SIZE, app.clock.now);
  await generateRecords(pool, { records: RECORDS, changes: RECORDS }, app.clock.now);
  await prepareStatistics();
  client = await pool.connect();
  const { db } = app.ctx;
  const room = await db.resource.findUniqueOrThrow({ where: { slug: 'room-0' } });
  const event = await db.event.findUniqueOrThrow({ where: { slug: 'event-1' } });
  const type = await db.ticketType.findFirstOrThrow({ where: { eventId: event.id } });
  const team = await db.team.findFirstOrThrow();
  ids = {
    resourceId: room.id,
    locationId: room.locationId,
    eventId: event.id,
    ticketTypeId: type.id,
    teamId: team.id,
    memberId: (await db.member.findUniqueOrThrow({ where: { code: 'M000000001' } })).id,
    planId: (await db.plan.findFirstOrThrow({ where: { name: 'Old plan' } })).id,
    orderId: (await db.order.findUniqueOrThrow({ where: { code: 'O000000001' } })).id,
    dayPassTypeId: (await db.dayPassType.findFirstOrThrow()).id,
    mailingId: (await db.mailing.findFirstOrThrow()).id,
    importId: (await db.import.findFirstOrThrow({ where: { rows: { some: {} } } })).id,
    webhookId: (await db.webhookEndpoint.findFirstOrThrow()).id,
    seriesId: '00000000-0000-7000-8000-000000000000',
    subjectIds: room.id,
    actorIds: team.id,
  };
});
afterAll(async () => {
  client?.release();
  await app.stop();
});

async function prepareStatistics(): Promise<void> {
  await app.database.pool.query('VACUUM (ANALYZE)');
  await inflateStatistics(app.database.pool);
}

const listJobs = (): Operation[] =>
  jobs.map(({ name, run }) => ({
    name: `job ${name}`,
    run: (ctx) =>
      run(ctx, { mail: undefined, webhooks: undefined, signal: new AbortController().signal }),
  }));

/** The names of the lists whose tables have more rows than a scan may read. */
async function listLargeFields(): Promise<string[]> {
  const { rows } = await app.database.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND reltuples > ${MAX_ROWS}`,
  );
  const large = new Set(rows.map(({ name }) => name));
  return findListFields().flatMap(({ name, list }) => (large.has(list.table) ? [name] : []));
}

type Checked = Operation | ListOperation;

const isList = (operation: Checked): operation is ListOperation => 'variables' in operation;

async function runOperation(operation: Checked, cookie: string): Promise<void> {
  // The first run of a job does what is overdue. What the second one reads, it reads for nothing.
  if (!isList(operation) && operation.run) return void (await operation.run(app.ctx));
  const variables = isList(operation) ? operation.variables : {};
  const { errors } = await app.graphql(operation.query ?? '', variables, { cookie });
  if (errors.length > 0) throw new Error(`${operation.name}: ${JSON.stringify(errors)}`);
}

/** The statements of a list are rendered without a request. Those that only resolvers send are sent. */
async function listStatements(operation: Checked, cookie: string): Promise<SentStatement[]> {
  if (isList(operation)) {
    try {
      return [renderStatement(app.ctx, operation)];
    } catch (error) {
      if (!(error instanceof NotPlannable)) throw error;
    }
  } else if (operation.run) await runOperation(operation, cookie);
  return captureStatements(() => runOperation(operation, cookie));
}

const isTooLong = ({ rows, loops, blocks }: Scan) =>
  rows > MAX_ROWS || blocks > loops * MAX_BLOCKS_PER_LOOP + rows * MAX_BLOCKS_PER_ROW;

async function findLongScans(operations: readonly Checked[]): Promise<string[]> {
  const cookie = await app.signIn('olga@example.org');
  const found: string[] = [];
  for (const operation of operations) {
    const statements = await listStatements(operation, cookie);
    if (operation.query && statements.length === 0)
      throw new Error(`${operation.name} sent no statement.`);
    for (const sent of statements) {
      // The tables of this test have fewer rows than may be found and sorted first.
      const statement = { ...sent, text: sent.text.replaceAll(String(MAX_SORTED_ROWS), '2000') };
      const scans = await explainScans(client as pg.PoolClient, statement);
      for (const scan of scans.filter(isTooLong)) {
        if (!isAllowed(operation, scan))
          found.push(`${operation.name}: ${scan.name}: ${scan.rows} rows, ${scan.blocks} blocks`);
      }
    }
  }
  return found;
}

describe('no statement reads more rows as the history grows', () => {
  it('of the lists of the schema, with any filter, in any order', async () => {
    const operations = await writeListOperations(app.database.pool, app.clock.now, {
      isBrief: true,
      only: await listLargeFields(),
    });

    expect(await findLongScans(operations)).toEqual([]);
  });

  it('also where long periods are read week by week, which leaves out no row', async () => {
    const location = `listed.location_id = '${ids.locationId}'`;
    await comparePages(
      PERIODS.flatMap((period) => [
        { field: 'bookings', filter: period, order: 'CREATED_AT', where: 'true' },
        {
          field: 'bookings',
          filter: { ...period, locationId: ids.locationId },
          order: 'CREATED_AT',
          where: location,
        },
        { field: 'changes', filter: period, order: 'POSITION', where: 'position IS NOT NULL' },
      ]),
    );
  });

  it('of the searches, lookups and periods', async () => {
    const { db } = app.ctx;
    const houses = await db.location.findMany({
      where: { slug: { startsWith: 'house-' } },
      orderBy: { slug: 'asc' },
    });
    const operations = listOperations(app.clock.now, (n) => houses[n - 1]?.id ?? '');
    expect(await findLongScans(operations)).toEqual([]);
  });

  it('of the lookups of ids of any type', async () => {
    const rows = await app.ctx.db.booking.findMany({ take: 10, select: { id: true } });
    const given = [...Object.values(ids), ...rows.map(({ id }) => id)];
    const query = `{ nodes(ids: ${JSON.stringify(given)}) { __typename } }`;
    expect(await findLongScans([{ name: 'nodes', query }])).toEqual([]);
  });

  it('of the jobs', async () => {
    // What the first runs delete stays in the indexes until a vacuum.
    for (const { run } of listJobs()) await run?.(app.ctx);
    await prepareStatistics();
    expect(await findLongScans(listJobs())).toEqual([]);
  });

  it('except where a reason names the operation and the table exactly', () => {
    const scan = { rows: 1, loops: 1, blocks: 1 };
    const bookings = { ...scan, name: 'Index Scan on bookings using bookings_created_at_id_idx' };
    const check = (name: string, table = bookings) => isAllowed({ name }, table);
    expect(check('bookings(status: PENDING, CREATED_AT_ASC, first)')).toBe(true);
    expect(check('bookings(status: PENDING, CREATED_AT_DESC, first)')).toBe(false);
    expect(check('bookings(status: PENDING, CREATED_AT_ASC, first) of idle')).toBe(false);
    expect(check('Resource.bookings(status: PENDING, CREATED_AT_ASC, first)')).toBe(false);
    expect(check('bookings(status: CONFIRMED, CREATED_AT_ASC, first)')).toBe(false);
    const orders = { ...scan, name: 'Index Scan on orders using orders_created_at_id_idx' };
    const tokens = { ...scan, name: 'Seq Scan on order_access_tokens' };
    expect(check('job seat-usages.purge', orders)).toBe(true);
    expect(check('job seat-usages.purge', tokens)).toBe(false);
  });

  it('which these tests notice, for example without the index of the search for orders', async () => {
    await app.database.pool.query('DROP INDEX orders_buyer_search_idx');
    const searches = await writeListOperations(app.database.pool, app.clock.now, {
      only: ['orders'],
    });
    const search = searches.filter(
      ({ name }) => name === 'orders(q: xyzzy, CREATED_AT_DESC, first)',
    );
    expect(search).toHaveLength(1);
    expect(await findLongScans(search)).toEqual([expect.stringMatching(/on orders/)]);
  });

  it('also where the bookings of a room are read in the order of booking, which leaves out none', async () => {
    const { resourceId } = ids;
    await app.database.pool.query(
      `INSERT INTO bookings (id, resource_id, location_id, guest_name, status, starts_at, ends_at, occupied_until,
         price_amount, created_at, updated_at)
       SELECT gen_random_uuid(), r.id, r.location_id, 'Guest', 'cancelled', start, start + interval '1 hour',
         start + interval '1 hour', 0, start - (n * 7 % 400) * interval '1 hour', start
       FROM resources r, generate_series(1, 3000) n, LATERAL (SELECT $2::timestamptz - n * interval '5 hours' AS start) at
       WHERE r.id = $1`,
      [resourceId, app.clock.now],
    );
    const where = `listed.resource_id = '${resourceId}'`;
    await comparePages(
      PERIODS.map((period) => ({
        field: 'bookings',
        filter: { ...period, resourceId },
        order: 'CREATED_AT',
        where,
      })),
    );
  });
});

interface ComparedList {
  field: string;
  filter: { from?: number; to?: number; [others: string]: unknown };
  order: string;
  where: string;
}

/** Days from now. */
const PERIODS = [{ from: -300 }, { to: -3 }, { from: -400.2, to: 5.3 }];

/** Reads two pages of each list, and compares them with the rows that have been sorted as a whole. */
async function comparePages(lists: ComparedList[]): Promise<void> {
  const toTime = (days: number | undefined) =>
    days === undefined
      ? undefined
      : new Date(app.clock.now.getTime() + days * 86_400_000).toISOString();
  const cookie = await app.signIn('olga@example.org');
  for (const { field, filter: given, order, where } of lists)
    for (const direction of ['ASC', 'DESC']) {
      const [from, to] = [toTime(given.from), toTime(given.to)];
      const filter = { ...given, from, to };
      const [start, end] = field === 'bookings' ? ['starts_at', 'ends_at'] : ['at', 'at'];
      const column = order.toLowerCase();
      const { rows } = await app.database.pool.query<{ id: string }>(
        `SELECT listed.id FROM ${field} listed WHERE ${where}
          AND ($1::timestamptz IS NULL OR ${end} > $1 OR ${start} >= $1) AND ($2::timestamptz IS NULL OR ${start} < $2)
         ORDER BY ${column} ${direction}, listed.id ${direction} LIMIT 20`,
        [from ?? null, to ?? null],
      );
      const found: string[] = [];
      for (let after: string | null = null; found.length < 20; ) {
        const { data, errors } = await app.graphql(
          `query ($filter: ${field === 'bookings' ? 'BookingFilter' : 'ChangeFilter'}, $after: String) {
            list: ${field}(first: 10, after: $after, filter: $filter, orderBy: ${order}_${direction}) {
              nodes: edges { node { id } } pageInfo { endCursor } } }`,
          { filter, after },
          { cookie },
        );
        expect(errors).toEqual([]);
        found.push(...data.list.nodes.map(({ node }: { node: { id: string } }) => node.id));
        after = data.list.pageInfo.endCursor;
      }
      expect([field, filter, direction, ...found]).toEqual([
        field,
        filter,
        direction,
        ...rows.map(({ id }) => id),
      ]);
    }
}
