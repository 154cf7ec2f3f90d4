import { ROLE_SCOPES } from '../../../src/auth/viewer.ts';
import { type Credential, expectErrorEnvelope } from '../../support/clients/api.ts';
import { createStaffUser, makeMember } from '../../support/factories/people.ts';
import { NOW } from '../../support/factories/seed.ts';
import { makeSpace } from '../../support/factories/space.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let owner: Credential;
let room: { id: string; locationId: string };

beforeAll(async () => {
  app = await startApp();
  owner = { cookie: await app.signIn(STAFF.owner) };
  ({ room } = await makeSpace(app));
});
afterAll(() => app.stop());

const FEED = 'id revokedAt createdBy { kind name }';

async function send(text: string, variables: object, as: Credential) {
  const { data, errors } = await app.graphql(text, variables, as);
  if (errors[0]) throw new Error(errors[0].message);
  return data;
}

async function createFeed(input: object, as: Credential) {
  const { createCalendarFeed: created } = await send(
    `mutation ($input: CreateCalendarFeedInput!) {
      createCalendarFeed(input: $input) { url calendarFeed { ${FEED} } } }`,
    { input },
    as,
  );
  const path = created.url.replace('http://foyer.test', '');
  return {
    ...created.calendarFeed,
    path,
    readStatus: async () => (await fetch(app.url + path)).status,
    readText: async () => (await fetch(app.url + path)).text(),
  };
}

let queries = 0;
const list = async (filter: object, as = owner) => {
  // The SQL of a document is composed once, with the roles that can read bookings. A test changes them.
  queries += 1;
  const { calendarFeeds } = await send(
    `query Feeds${queries}($filter: CalendarFeedFilter) { calendarFeeds(first: 100, filter: $filter) { nodes { ${FEED} } } }`,
    { filter },
    as,
  );
  return calendarFeeds.nodes as { id: string }[];
};

const run = (field: string, input: object, as = owner) =>
  send(
    `mutation ($input: ${field[0]?.toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { __typename } }`,
    { input },
    as,
  );

/** A front desk user with a feed of a room and one of a member. */
async function makeDesk() {
  const { email, session } = await createStaffUser(app, 'front_desk');
  const { id } = await app.ctx.db.user.findUniqueOrThrow({ where: { email } });
  const { id: memberId } = await makeMember(app);
  const desk = { cookie: await session() };
  const feeds = [
    await createFeed({ resourceId: room.id }, desk),
    await createFeed({ memberId }, desk),
  ];
  return {
    id,
    email,
    feeds,
    readAll: () => Promise.all(feeds.map(({ readStatus }) => readStatus())),
    /** Which of the feeds are listed as working. */
    listActive: async () => {
      const ids = new Set((await list({ active: true })).map((feed) => feed.id));
      return feeds.map((feed) => ids.has(feed.id));
    },
  };
}

const book = (memberId: string, day: number, title: string) => {
  const startsAt = new Date(NOW.getTime() + day * 24 * 3_600_000);
  const endsAt = new Date(startsAt.getTime() + 3_600_000);
  return app.ctx.db.booking.create({
    data: {
      ...{ resourceId: room.id, locationId: room.locationId, memberId, title },
      ...{ startsAt, endsAt, occupiedUntil: endsAt },
    },
  });
};

describe('a calendar feed of a staff user', () => {
  it('says who made it', async () => {
    const { feeds } = await makeDesk();
    expect(feeds[0]?.createdBy).toEqual({ kind: 'STAFF', name: 'Test Person' });
    expect(await list({ resourceId: room.id })).toContainEqual(
      expect.objectContaining({ createdBy: { kind: 'STAFF', name: 'Test Person' } }),
    );
  });

  it('answers like an unknown one while the account is disabled', async () => {
    const { id, feeds, readAll, listActive } = await makeDesk();
    expect([await readAll(), await listActive()]).toEqual([
      [200, 200],
      [true, true],
    ]);
    await run('disableStaff', { id });
    expect([await readAll(), await listActive()]).toEqual([
      [404, 404],
      [false, false],
    ]);
    expectErrorEnvelope(await app.rest(feeds[0]?.path), 404, 'No such calendar.');
    await run('enableStaff', { id });
    expect(await readAll()).toEqual([200, 200]);
  });

  it('answers like an unknown one while the role cannot read bookings', async () => {
    const { readAll, listActive } = await makeDesk();
    const scopes = ROLE_SCOPES.front_desk;
    try {
      ROLE_SCOPES.front_desk = scopes.filter((scope) => scope !== 'bookings:read');
      expect([await readAll(), await listActive()]).toEqual([
        [404, 404],
        [false, false],
      ]);
    } finally {
      ROLE_SCOPES.front_desk = scopes;
    }
    expect(await readAll()).toEqual([200, 200]);
  });

  it('is deleted when the person is erased', async () => {
    const { id, email, feeds, readAll } = await makeDesk();
    await run('disableStaff', { id });
    await run('erasePersonalData', { email });
    expect(await readAll()).toEqual([404, 404]);
    const ids = feeds.map((feed) => feed.id);
    expect(await app.ctx.db.calendarFeed.count({ where: { id: { in: ids } } })).toBe(0);
    const deletions = { type: 'calendar_feed.deleted', subjectId: { in: ids } };
    expect(await app.ctx.db.change.count({ where: deletions })).toBe(2);
  });
});

describe('a calendar feed of a member', () => {
  it('answers like an unknown one if it shows another member', async () => {
    const { id, signedIn } = await makeMember(app);
    const feed = await createFeed({ memberId: id }, await signedIn());
    expect(feed.createdBy.kind).toBe('MEMBER');
    expect(await feed.readStatus()).toBe(200);
    const { id: memberId } = await makeMember(app);
    await app.ctx.db.calendarFeed.update({ where: { id: feed.id }, data: { memberId } });
    expect(await feed.readStatus()).toBe(404);
  });

  it('shows only their own bookings, also of a resource', async () => {
    const { id: memberId, signedIn } = await makeMember(app);
    const feed = await createFeed({ memberId }, await signedIn());
    await app.ctx.db.calendarFeed.update({
      where: { id: feed.id },
      data: { memberId: null, resourceId: room.id },
    });
    const { id: other } = await makeMember(app);
    await book(memberId, 10, 'Own booking');
    await book(other, 11, 'Booking of another member');
    const text = await feed.readText();
    expect(text).toContain('Own booking');
    expect(text).not.toContain('another member');
  });

  it('answers like an unknown one after the member has left', async () => {
    const { id: memberId, signedIn } = await makeMember(app);
    const feed = await createFeed({ memberId }, await signedIn());
    await app.ctx.db.member.update({ where: { id: memberId }, data: { status: 'former' } });
    expect(await feed.readStatus()).toBe(404);
  });

  it('is revoked when the change of their address completes, like those that staff made for them', async () => {
    const { id: memberId, signedIn } = await makeMember(app);
    const feeds = [
      await createFeed({ memberId }, await signedIn()),
      await createFeed({ memberId }, owner),
    ];
    const { feeds: others } = await makeDesk();
    await run('updateMember', { id: memberId, email: `moved-${memberId}@example.org` });
    const readAll = () => Promise.all([...feeds, ...others].map((feed) => feed.readStatus()));
    expect(await readAll()).toEqual([200, 200, 200, 200]);
    const { text } = await app.ctx.db.mail.findFirstOrThrow({
      where: { recipient: `moved-${memberId}@example.org` },
    });
    const secret = /foyere_\w+/.exec(text)?.[0];
    await run('confirmMemberEmail', { secret }, {});
    expect(await readAll()).toEqual([404, 404, 200, 200]);
    expect(
      await app.ctx.db.change.count({
        where: { type: 'calendar_feed.revoked', subjectId: { in: feeds.map(({ id }) => id) } },
      }),
    ).toBe(2);
  });
});

describe('an API token', () => {
  it('cannot make calendar feeds, even with all scopes', async () => {
    const token = await app.token('*');
    const { errors } = await app.graphql(
      `mutation { createCalendarFeed(input: { resourceId: "${room.id}" }) { url } }`,
      {},
      { token },
    );
    expect(errors[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', reason: 'SIGN_IN_NEEDED' });
  });
});
