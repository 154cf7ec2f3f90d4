import pg from 'pg';
import { startApp, type TestApp } from '../../support/harness/app.ts';
import { serverUrl } from '../../support/harness/database.ts';

const RESOURCES = 50;
// The embedded database is slow to insert many: its bookings are of three weeks, those of PostgreSQL of more than a year.
const BOOKINGS = serverUrl ? 100_000 : 4_000;
const HISTORY = serverUrl ? ', with a long history' : '';
const MAX_STATEMENTS = 6;

const RESOURCES_SQL = `
  WITH place AS (
    INSERT INTO locations (id, slug, name, time_zone)
    VALUES (gen_random_uuid(), 'long-hall', 'Long hall', 'Europe/Berlin') RETURNING id)
  INSERT INTO resources (id, location_id, slug, name, type, hourly_amount, buffer_minutes)
  SELECT gen_random_uuid(), place.id, 'cell-' || n, 'Cell ' || n, 'room', 1500, 15
  FROM place, generate_series(1, ${RESOURCES}) n`;

// One in every six hours of each, the last of them a week from now: most is history.
const BOOKINGS_SQL = `
  INSERT INTO bookings (id, resource_id, location_id, guest_name, starts_at, ends_at, occupied_until)
  SELECT gen_random_uuid(), room.id, room.location_id, 'Gisa Guest', start, start + interval '2 hours',
    start + interval '135 minutes'
  FROM generate_series(0, $1::int / ${RESOURCES} - 1) n
  JOIN resources room ON room.slug LIKE 'cell-%'
  CROSS JOIN LATERAL (
    SELECT $2::timestamptz + interval '7 days' - n * interval '6 hours' AS start) at`;

const LARGE_LOCATION_SQL = `
  WITH place AS (
    INSERT INTO locations (id, slug, name, time_zone)
    VALUES (gen_random_uuid(), 'large-hall', 'Large hall', 'Europe/Berlin') RETURNING id)
  INSERT INTO resources (id, location_id, slug, name, type, hourly_amount)
  SELECT gen_random_uuid(), place.id, 'large-' || n, 'Large ' || n, 'room', 1500
  FROM place, generate_series(1, $1::int) n RETURNING location_id`;

const QUERY = `query ($from: DateTime!, $to: DateTime!, $locationId: ID!, $memberId: ID!) {
  availability(from: $from, to: $to, minutes: 60, locationId: $locationId, memberId: $memberId) {
    resource { id name type capacity } free { startsAt endsAt }
    slots { startsAt endsAt localStart price { amount currency } } } }`;

let app: TestApp;
let token: string;
let variables: object;

beforeAll(async () => {
  app = await startApp();
  const { pool } = app.database;
  await pool.query(RESOURCES_SQL);
  await pool.query(BOOKINGS_SQL, [BOOKINGS, app.clock.now]);
  await pool.query('ANALYZE bookings');
  token = await app.token('spaces:read', 'members:read');
  const { locationId } = await app.ctx.db.resource.findFirstOrThrow({ where: { slug: 'cell-1' } });
  const { id: memberId } = await app.ctx.db.member.findUniqueOrThrow({
    where: { email: 'ben@example.org' },
  });
  variables = {
    from: app.clock.now.toISOString(),
    to: new Date(app.clock.now.getTime() + 7 * 24 * 3_600_000).toISOString(),
    locationId,
    memberId,
  };
});
afterAll(() => app.stop());

/** The statements that reach the database during some work, on any connection. */
async function captureStatements(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: never[]) {
    const [given] = args as (string | { text: string })[];
    sent.push(typeof given === 'string' ? given : (given?.text ?? ''));
    return query.apply(this, args as never);
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return sent;
}

describe(`the availability of ${RESOURCES} resources for a week${HISTORY}`, () => {
  it(`takes at most ${MAX_STATEMENTS} statements, including authentication`, async () => {
    // Opens the connections.
    await app.graphql(QUERY, { ...variables, to: app.clock.now.toISOString() }, { token });
    let found: { slots: object[]; free: object[] }[] = [];
    const statements = await captureStatements(async () => {
      const { data, errors } = await app.graphql(QUERY, variables, { token });
      expect(errors).toEqual([]);
      found = data.availability;
    });
    expect(found).toHaveLength(RESOURCES);
    for (const { slots, free } of found) {
      expect(free.length).toBeGreaterThan(20);
      expect(slots.length).toBeGreaterThan(200);
    }
    expect(statements.some((text) => text.includes('FROM resources r'))).toBe(true);
    // The last use of tokens is written in the background, once a second for all requests,
    // and may take a connection, so that another one opens.
    const onTheWay = statements.filter(
      (text) => !text.includes('last_used_at') && !text.startsWith('SET '),
    );
    expect(onTheWay.slice(MAX_STATEMENTS)).toEqual([]);
  });
});

describe('the free ranges of the resources of a large location', () => {
  const requestFree = (locationId: string) =>
    app.graphql(
      'query ($locationId: ID!) { availability(locationId: $locationId) { free { startsAt } } }',
      { locationId },
      { token },
    );

  it('are found for up to 250 resources, and more are rejected instead of left out', async () => {
    const { rows } = await app.database.pool.query(LARGE_LOCATION_SQL, [251]);
    const [{ location_id: locationId }] = rows;
    const { errors } = await requestFree(locationId);
    expect(errors).toEqual([
      expect.objectContaining({
        message: 'More than 250 resources match. Select a location, a type or some ids.',
      }),
    ]);
    await app.database.pool.query("DELETE FROM resources WHERE slug = 'large-1'");
    const { data } = await requestFree(locationId);
    expect(data.availability).toHaveLength(250);
  });
});
