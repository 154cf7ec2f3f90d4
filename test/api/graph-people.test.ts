import type { Credential } from '../support/clients/api.ts';
import { addRowsOfPeople } from '../support/factories/people-lists.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
let owner: Credential;
let ben: { id: string; cookie: string };

beforeAll(async () => {
  app = await startApp();
  owner = { cookie: await app.signIn(STAFF.owner) };
  ben = await signInMember('ben@example.org');
  await addRowsOfPeople(app);
});
afterAll(() => app.stop());

async function signInMember(email: string) {
  const { id, name } = await app.ctx.db.member.findUniqueOrThrow({ where: { email } });
  const { passwordHash } = await app.ctx.db.user.findFirstOrThrow();
  await app.ctx.db.user.create({ data: { name, email, memberId: id, passwordHash } });
  return { id, cookie: await app.signIn(email) };
}

const query = async (text: string, variables: object = {}) => {
  const { data, errors } = await app.graphql(text, variables, owner);
  expect(errors).toEqual([]);
  return data;
};

describe('relations', () => {
  it('lead back to the row that they came from', async () => {
    const { staff, apiTokens, webhooks, erasures, memberships } = await query(`{
      staff(filter: { role: [OWNER] }, first: 1) { nodes { id
        apiTokens(first: 3) { nodes { createdBy { id } } }
        webhooks(first: 3) { nodes { owner { staffUser { id } apiToken { id } } } }
        erasures(first: 3) { nodes { requestedBy { id } } } } }
      apiTokens(first: 5) { nodes { id createdBy { name } webhooks(first: 1) { nodes { id } } } }
      webhooks(first: 2) { nodes { id deliveries(first: 2) { nodes { webhook { id } } } } }
      erasures(first: 1) { nodes { requestedBy { name } } }
      memberships(first: 50) { nodes { id bookings(first: 5) { nodes { membership { id } } } } } }`);
    const [user] = staff.nodes;
    for (const { owner } of user.webhooks.nodes)
      expect(owner).toEqual({ staffUser: { id: user.id }, apiToken: null });
    expect(user.webhooks.nodes.length).toBe(3);
    for (const { requestedBy } of user.erasures.nodes) expect(requestedBy).toEqual({ id: user.id });
    expect(user.erasures.nodes.length).toBe(3);
    expect(apiTokens.nodes[0].createdBy).toBeNull(); // created by the system
    expect(erasures.nodes[0].requestedBy.name).toBeTruthy();
    for (const { id, deliveries } of webhooks.nodes) {
      expect(deliveries.nodes.length).toBeGreaterThan(0);
      for (const { webhook } of deliveries.nodes) expect(webhook).toEqual({ id });
    }
    const used = memberships.nodes.filter(
      ({ bookings }: { bookings: { nodes: object[] } }) => bookings.nodes.length > 0,
    );
    expect(used.length).toBeGreaterThan(0);
    for (const { id, bookings } of used)
      for (const { membership } of bookings.nodes) expect(membership).toEqual({ id });
  });

  it('list the bookings of the members of a team', async () => {
    const { teams } = await query(
      '{ teams(first: 10) { nodes { bookings(first: 20) { nodes { member { id } } totalCount { value } } members(first: 20) { nodes { id } } } } }',
    );
    let count = 0;
    for (const { bookings, members } of teams.nodes) {
      const ids = members.nodes.map(({ id }: { id: string }) => id);
      for (const { member } of bookings.nodes) expect(ids).toContain(member.id);
      count += bookings.nodes.length;
    }
    expect(count).toBeGreaterThan(0);
  });

  it('answer with the last booking of each member in one query', async () => {
    const { members } = await query(
      `query ($now: DateTime!) { members(first: 50) { nodes { id bookings(last: 1, filter: { to: $now }) { nodes { id startsAt } } } } }`,
      { now: app.clock.now.toISOString() },
    );
    let count = 0;
    for (const { id, bookings } of members.nodes) {
      const last = await app.ctx.db.booking.findFirst({
        where: { memberId: id, startsAt: { lt: app.clock.now } },
        orderBy: [{ startsAt: 'desc' }, { id: 'desc' }],
        select: { id: true },
      });
      expect(bookings.nodes.map((node: { id: string }) => node.id)).toEqual(last ? [last.id] : []);
      count += bookings.nodes.length;
    }
    expect(count).toBeGreaterThan(0);
  });
});

describe('relations apply the scope and the visibility of the other type', () => {
  const read = (field: string, as: Credential) => app.graphql(`{ ${field} }`, {}, as);

  it.each([
    ['members:read', 'members(first: 1) { nodes { bookings { nodes { id } } } }'],
    ['members:read', 'members(first: 1) { nodes { calendarFeeds { nodes { id } } } }'],
    ['members:read', 'teams(first: 1) { nodes { bookings { nodes { id } } } }'],
    ['members:read', 'memberships(first: 1) { nodes { bookings { nodes { id } } } }'],
    ['plans:read', 'plans(first: 1) { nodes { memberships { nodes { id } } } }'],
    ['spaces:read', 'resources(first: 1) { nodes { calendarFeeds { nodes { id } } } }'],
    ['bookings:read', 'bookings(first: 1) { nodes { membership { id } } }'],
    ['webhooks:read', 'webhooks(first: 1) { nodes { owner { staffUser { id } } } }'],
    ['webhooks:read', 'webhooks(first: 1) { nodes { owner { apiToken { id } } } }'],
  ] as const)('for a token with only %s: %s', async (scope, field) => {
    const { codes } = await read(field, { token: await app.token(scope) });
    expect(codes).toEqual(['FORBIDDEN']);
    expect((await read(field, owner)).codes).toEqual([]);
  });

  it('for a member, who sees only their own rows', async () => {
    const { data, codes } = await read(
      `me { id memberships { nodes { id member { id } plan { name } } }
        bookings(first: 20) { nodes { member { id } membership { id } } }
        calendarFeeds { nodes { member { id } } } }
      resources(first: 20) { nodes { calendarFeeds(first: 5) { nodes { id } } bookings(first: 5) { nodes { member { id } } } } }`,
      ben,
    );
    expect(codes).toEqual([]);
    const { me, resources } = data;
    expect(me.memberships.nodes.length).toBeGreaterThan(0);
    expect(me.calendarFeeds.nodes).toEqual([
      { member: { id: ben.id } },
      { member: { id: ben.id } },
    ]);
    for (const { calendarFeeds, bookings } of resources.nodes) {
      expect(calendarFeeds.nodes).toEqual([]);
      for (const { member } of bookings.nodes) expect(member.id).toBe(ben.id);
    }
    expect((await read('members { nodes { id } }', ben)).codes).toEqual(['FORBIDDEN']);
  });

  it('for anonymous callers, who see no location with its resources', async () => {
    const { codes } = await read(
      'events(first: 1, filter: { from: "2000-01-01T00:00:00Z" }) { nodes { location { resources { nodes { id } } } } }',
      {},
    );
    expect(codes).toEqual(['UNAUTHENTICATED']);
  });
});
