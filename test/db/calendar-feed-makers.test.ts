import { readMigrations } from '../../src/db/migrations.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';

const MIGRATION = '20261124110000_calendar_feed_makers';

let database: TestDatabase['database'];
let close: TestDatabase['close'];

beforeAll(async () => {
  ({ database, close } = await openTestDatabase());
  await database.pool.query(`ALTER TABLE calendar_feeds DROP COLUMN created_by_id;
    INSERT INTO locations (id, slug, name, time_zone) VALUES ('${toId(1)}', 'house', 'House', 'Europe/Berlin');
    INSERT INTO resources (id, location_id, slug, name, type) VALUES ('${toId(2)}', '${toId(1)}', 'room', 'Room', 'room');
    INSERT INTO members (id, name, email, code) VALUES
      ('${toId(3)}', 'Has an account', 'a@example.org', 'a'), ('${toId(4)}', 'Has none', 'b@example.org', 'b');
    INSERT INTO users (id, name, email, role, member_id) VALUES
      ('${toId(5)}', 'Fred', 'fred@example.org', 'front_desk', NULL), ('${toId(6)}', 'A', 'a@example.org', NULL, '${toId(3)}')`);
});
afterAll(() => close());

const toId = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const [ROOM, MEMBER, MEMBER_WITHOUT_ACCOUNT, FRED, MEMBER_ACCOUNT, DELETED] = [2, 3, 4, 5, 6, 7];

const FEEDS = [
  {
    title: 'made by a staff user',
    ...{ memberId: MEMBER, recorded: ['staff', FRED], maker: FRED, isActive: true },
  },
  {
    title: 'made by a member',
    ...{ memberId: MEMBER, recorded: ['member', MEMBER], maker: MEMBER_ACCOUNT, isActive: true },
  },
  {
    title: 'made by a deleted staff user',
    ...{ memberId: MEMBER, recorded: ['staff', DELETED], maker: null, isActive: false },
  },
  {
    title: 'of a member, made before the journal',
    ...{ memberId: MEMBER, recorded: null, maker: MEMBER_ACCOUNT, isActive: true },
  },
  {
    title: 'of a member who has never signed in, made before the journal',
    ...{ memberId: MEMBER_WITHOUT_ACCOUNT, recorded: null, maker: null, isActive: false },
  },
  {
    title: 'of a room, made before the journal',
    ...{ memberId: null, recorded: null, maker: null, isActive: false },
  },
];

it('assigns calendar feeds to those who made them, as far as that is known, and ends the others', async () => {
  for (const [n, { memberId, recorded }] of FEEDS.entries()) {
    const id = toId(100 + n);
    await database.pool.query(
      'INSERT INTO calendar_feeds (id, hash, prefix, resource_id, member_id) VALUES ($1, $2, $3, $4, $5)',
      [
        id,
        Buffer.from([n]),
        'foyerc_',
        memberId === null ? toId(ROOM) : null,
        memberId && toId(memberId),
      ],
    );
    if (recorded === null) continue;
    const [kind, actor] = recorded;
    await database.pool.query(
      `INSERT INTO changes (type, subject_id, actor_kind, actor_id, at) VALUES ('calendar_feed.created', $1, $2, $3, now())`,
      [id, kind, toId(Number(actor))],
    );
  }
  const migration = readMigrations().find(({ name }) => name === MIGRATION);
  await database.pool.query(`BEGIN; ${migration?.sql}; COMMIT`);
  const { rows } = await database.pool.query(
    'SELECT created_by_id AS maker, revoked_at IS NULL AS "isActive" FROM calendar_feeds ORDER BY id',
  );
  expect(rows.map((row, n) => ({ title: FEEDS[n]?.title, ...row }))).toEqual(
    FEEDS.map(({ title, maker, isActive }) => ({ title, maker: maker && toId(maker), isActive })),
  );
});
