import { v7 } from 'uuid';
import type { Credential } from '../support/clients/api.ts';
import { makeMember, signInFrontDesk } from '../support/factories/people.ts';
import { PASSWORD } from '../support/factories/seed.ts';
import { makeSpace, march } from '../support/factories/space.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
let owner: Credential;
let writer: Credential;
let names = 0;

beforeAll(async () => {
  app = await startApp();
  owner = { cookie: await app.signIn(STAFF.owner) };
  writer = { token: await app.token('members:write', 'members:read', 'plans:write') };
});
afterAll(() => app.stop());

interface GraphqlBody {
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
  data: any;
  errors?: { message: string; extensions: Record<string, unknown> }[];
}

async function send(
  query: string,
  { variables = {}, key, as = writer }: { variables?: object; key?: string; as?: Credential },
) {
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(as.token ? { authorization: `Bearer ${as.token}` } : {}),
      ...(as.cookie ? { cookie: as.cookie } : {}),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify({ query, variables }),
  });
  const { extensions: _, ...body } = await response.json(); // the cost: each request has its own
  return {
    status: response.status,
    cookies: response.headers.getSetCookie(),
    body: body as GraphqlBody,
  };
}
const getReason = ({ body }: { body: GraphqlBody }) => body.errors?.[0]?.extensions;

const CREATE_MEMBER = `mutation ($input: CreateMemberInput!) {
  createMember(input: $input) { member { id name email code createdAt team { id } } } }`;
const makePerson = () => {
  names += 1;
  return { name: 'Test Person', email: `once-in-graphql-${names}@example.org` };
};
const membersWith = (email: string) => app.ctx.db.member.count({ where: { email } });
const keys = () => app.ctx.db.idempotencyKey.count();
const REUSED = { code: 'VALIDATION', reason: 'IDEMPOTENCY_KEY_REUSED' };

describe('a mutation with an Idempotency-Key', () => {
  it('runs once and returns the first response every time', async () => {
    const [input, key] = [makePerson(), v7()];
    const first = await send(CREATE_MEMBER, { variables: { input }, key });
    expect(first.body.data.createMember.member).toMatchObject(input);
    for (let time = 2; time <= 4; time += 1) {
      const again = await send(CREATE_MEMBER, { variables: { input }, key });
      expect(again.body).toEqual(first.body);
    }
    expect(await membersWith(input.email)).toBe(1);
    const other = await send(CREATE_MEMBER, { variables: { input }, key: v7() });
    expect(getReason(other)).toMatchObject({ code: 'CONFLICT', reason: 'TAKEN' });
  });

  it('runs once for concurrent requests, which all get the same response', async () => {
    const [input, key] = [makePerson(), v7()];
    const ask = (key: string) => send(CREATE_MEMBER, { variables: { input }, key });
    const responses = await Promise.all(Array.from({ length: 10 }, () => ask(key)));
    expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(responses[0]?.body.data.createMember.member).toMatchObject(input);
    expect(await membersWith(input.email)).toBe(1);
  });

  it('returns the same secret again', async () => {
    const query = `mutation ($input: CreateApiTokenInput!) {
      createApiToken(input: $input) { secret apiToken { id createdAt createdBy { name } expiresAt lastUsedAt } } }`;
    const input = { name: v7(), scopes: ['members:read'], expiresAt: '2027-01-01T00:00:00Z' };
    const request = { variables: { input }, key: v7(), as: owner };
    const responses = [
      await send(query, request),
      await send(query, request),
      await send(query, request),
    ];
    const [issued, ...replayed] = responses.map(({ body }) => body.data.createApiToken);
    expect(issued).toMatchObject({
      secret: expect.stringMatching(/^foyer_/),
      apiToken: { expiresAt: '2027-01-01T00:00:00.000Z', lastUsedAt: null },
    });
    expect(replayed).toEqual([issued, issued]);
    expect(await app.ctx.db.apiToken.count({ where: { name: input.name } })).toBe(1);
  });

  it('is a different request with other arguments or another field', async () => {
    const [input, key] = [makePerson(), v7()];
    await send(CREATE_MEMBER, { variables: { input }, key });
    const changed = { ...input, name: 'Another' };
    expect(getReason(await send(CREATE_MEMBER, { variables: { input: changed }, key }))).toEqual(
      REUSED,
    );
    const other = `mutation ($input: CreateTeamInput!) { createMember: createTeam(input: $input) { team { id } } }`;
    expect(getReason(await send(other, { variables: { input: { name: 'x' } }, key }))).toEqual(
      REUSED,
    );
  });

  it('is the same request with another selection or formatting', async () => {
    const [input, key] = [makePerson(), v7()];
    const first = await send(CREATE_MEMBER, { variables: { input }, key });
    const { id } = first.body.data.createMember.member;
    const inline = `mutation { createMember(input: { email: "${input.email}", name: "${input.name}" }) { member { id status } } }`;
    expect((await send(inline, { key })).body).toEqual({
      data: { createMember: { member: { id, status: 'ACTIVE' } } },
    });
    expect(await membersWith(input.email)).toBe(1);
  });

  it('is independent of other mutations in the same document', async () => {
    const [a, b, key] = [makePerson(), makePerson(), v7()];
    const query = `mutation ($a: CreateMemberInput!, $b: CreateMemberInput!) {
      a: createMember(input: $a) { member { id email } } b: createMember(input: $b) { member { id email } } }`;
    const first = await send(query, { variables: { a, b }, key });
    expect(first.body.data).toMatchObject({
      a: { member: { email: a.email } },
      b: { member: { email: b.email } },
    });
    expect((await send(query, { variables: { a, b }, key })).body).toEqual(first.body);
    const halfway = await send(query, { variables: { a, b: makePerson() }, key });
    expect(getReason(halfway)).toEqual(REUSED);
    expect([await membersWith(a.email), await membersWith(b.email)]).toEqual([1, 1]);
  });

  it('returns the same error again after a rejection', async () => {
    const [input, key] = [makePerson(), v7()];
    await send(CREATE_MEMBER, { variables: { input } });
    const first = await send(CREATE_MEMBER, { variables: { input }, key });
    expect(getReason(first)).toMatchObject({ code: 'CONFLICT', reason: 'TAKEN' });
    await app.ctx.db.member.delete({ where: { email: input.email } });
    const again = await send(CREATE_MEMBER, { variables: { input }, key });
    expect(again.body.errors?.[0]).toEqual(first.body.errors?.[0]);
    expect(await membersWith(input.email)).toBe(0);
  });

  it('is rolled back after a server error and can succeed on retry', async () => {
    const [input, key] = [makePerson(), v7()];
    const { db } = app.ctx;
    await db.$executeRawUnsafe(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION 'the disk is full'; END $$`);
    await db.$executeRawUnsafe(
      'CREATE TRIGGER full_disk AFTER INSERT ON members EXECUTE FUNCTION full_disk()',
    );
    const failed = await send(CREATE_MEMBER, { variables: { input }, key });
    await db.$executeRawUnsafe('DROP FUNCTION full_disk CASCADE');
    expect(getReason(failed)).toMatchObject({ code: 'INTERNAL' });
    expect(await membersWith(input.email)).toBe(0);
    const again = await send(CREATE_MEMBER, { variables: { input }, key });
    expect(again.body.data.createMember.member).toMatchObject(input);
  });

  it('is saved only for allowed callers and replayed only while they are allowed', async () => {
    const key = v7();
    const before = await keys();
    const reader = { token: await app.token('members:read') };
    const input = makePerson();
    expect(getReason(await send(CREATE_MEMBER, { variables: { input }, key, as: reader }))).toEqual(
      expect.objectContaining({ code: 'FORBIDDEN' }),
    );
    expect(getReason(await send(CREATE_MEMBER, { variables: { input }, key, as: {} }))).toEqual(
      expect.objectContaining({ code: 'UNAUTHENTICATED' }),
    );
    expect(await keys()).toBe(before);

    const staff = await signInFrontDesk(app);
    const create = () => send(CREATE_MEMBER, { variables: { input }, key, as: staff });
    expect((await create()).body.data.createMember.member).toMatchObject(input);
    const { id } = await app.ctx.db.user.findFirstOrThrow({ orderBy: { id: 'desc' } });
    await app.ctx.db.session.deleteMany({ where: { userId: id } });
    expect(getReason(await create())).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('has the limits of other requests when replayed', async () => {
    const [input, key] = [makePerson(), v7()];
    await send(CREATE_MEMBER, { variables: { input }, key });
    const deep = `mutation ($input: CreateMemberInput!) { createMember(input: $input) { member {
        ${'team { members { nodes { '.repeat(5)} id ${'} } } '.repeat(5)} } } }`;
    expect(getReason(await send(deep, { variables: { input }, key }))).toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it.each([
    ['empty', ''],
    ['of 256 characters', 'k'.repeat(256)],
  ])('is rejected if the key is %s', async (_, key) => {
    const input = makePerson();
    const response = await send(CREATE_MEMBER, { variables: { input }, key });
    expect([response.status, getReason(response)?.code]).toEqual([400, 'BAD_REQUEST']);
    expect(await membersWith(input.email)).toBe(0);
  });

  it('is ignored for signing in, which sets a cookie every time', async () => {
    const query = `mutation { signIn(input: { email: "${STAFF.owner}", password: "${PASSWORD}" }) { viewer { kind } } }`;
    const key = v7();
    const before = await keys();
    const cookies = [await send(query, { key, as: {} }), await send(query, { key, as: {} })].map(
      ({ cookies }) => cookies[0],
    );
    expect(new Set(cookies).size).toBe(2);
    expect(cookies.every((cookie) => cookie?.includes('foyers_'))).toBe(true);
    expect(await keys()).toBe(before);
  });
});

describe('a replayed response supports every selection', () => {
  const LOCATION = 'id slug name timeZone address capacity openingHours { weekday opens closes }';
  const BOOKING = `id status title startsAt endsAt createdAt checkedInAt resource { id name location { name } }
    location { timeZone } member { id name email } guest { name } price { amount currency }
    cancellation { cancelledAt reason fee { amount } }`;
  const at = JSON.stringify;
  /** A mutation that returns existing data. */
  const mutations: [string, () => Promise<string>][] = [
    [
      'createBooking',
      async () => {
        const { room } = await makeSpace(app);
        const { startsAt, endsAt } = march(19, '10:00', '11:00');
        return `createBooking(input: { resourceId: "${room.id}", startsAt: "${startsAt}", endsAt: "${endsAt}",
          memberId: "${(await makeMember(app)).id}" }) { booking { ${BOOKING} } }`;
      },
    ],
    [
      'createBookingSeries',
      async () => {
        const { room } = await makeSpace(app);
        const { startsAt, endsAt } = march(19, '10:00', '11:00');
        return `createBookingSeries(input: { resourceId: "${room.id}", startsAt: "${startsAt}", endsAt: "${endsAt}",
          guest: { name: "Gil" }, rule: "FREQ=DAILY;COUNT=5", onConflict: SKIP, exdates: ["${startsAt}"] }) { bookingSeries {
          id rule bookings { ${BOOKING} } conflicts { startsAt endsAt localStart reasons { reason message } } } }`;
      },
    ],
    [
      'cancelBooking',
      async () =>
        `cancelBooking(input: { id: "${await booked()}", reason: "ill" }) { booking { ${BOOKING} } }`,
    ],
    [
      'rescheduleBooking',
      async () => {
        const { startsAt, endsAt } = march(20, '10:00', '11:00');
        return `rescheduleBooking(input: { id: "${await booked()}", startsAt: "${startsAt}", endsAt: "${endsAt}" }) { booking { ${BOOKING} } }`;
      },
    ],
    [
      'updateBooking',
      async () =>
        `updateBooking(input: { id: "${await booked()}", title: "Talk" }) { booking { ${BOOKING} } }`,
    ],
    [
      'createDisplay',
      async () => {
        const { location, room } = await makeSpace(app);
        return `createDisplay(input: { name: "Door", kind: ROOM_PANEL, locationId: "${location.id}", resourceId: "${room.id}" }) {
          deviceToken display { id name kind status lastSeenAt revokedAt createdAt location { ${LOCATION} } resource { name type } } }`;
      },
    ],
    [
      'createCalendarFeed',
      async () => `createCalendarFeed(input: { resourceId: "${(await makeSpace(app)).room.id}" }) {
        url calendarFeed { id prefix createdAt revokedAt resource { id name capacity } member { id } } }`,
    ],
    [
      'createClosure',
      async () => `createClosure(input: { locationId: "${(await makeSpace(app)).location.id}",
        startsOn: "2026-03-20", endsOn: "2026-03-21" }) { closure { id startsOn endsOn reason bookingsAffected location { ${LOCATION} } } }`,
    ],
    [
      'setOpeningHours',
      async () =>
        `setOpeningHours(input: { locationId: "${(await makeSpace(app)).location.id}", hours: [{ weekday: MONDAY, opens: "09:00", closes: "24:00" }] }) { location { ${LOCATION} } }`,
    ],
    [
      'createLocation',
      async () =>
        `createLocation(input: { name: "New", slug: "${v7()}", timeZone: "Asia/Tokyo" }) { location { ${LOCATION} closures { id } } }`,
    ],
    [
      'createResource',
      async () => `createResource(input: { locationId: "${(await makeSpace(app)).location.id}", name: "Cave", slug: "${v7()}", type: ROOM }) { resource {
        id slug name type capacity amenities active pricePerHour { amount currency } location { ${LOCATION} } } }`,
    ],
    [
      'createMembership',
      async () => {
        const { id } = await app.ctx.db.plan.findFirstOrThrow({ where: { active: true } });
        return `createMembership(input: { planId: "${id}", memberId: "${(await makeMember(app)).id}", startsOn: "2026-03-01" }) { membership {
          id startsOn endsOn plan { name price { amount } benefits { resourceType includedHours } } member { id name createdAt } usage { resourceType } } }`;
      },
    ],
    [
      'createPlan',
      async () => `createPlan(input: { name: ${at(v7())}, price: { amount: 1, currency: "EUR" }, benefits: [{ resourceType: ROOM, includedHours: 2 }] }) { plan {
        id name price { amount currency } interval active benefits { resourceType includedHours discountPercent limitHours } } }`,
    ],
    [
      'createTeam',
      async () =>
        `createTeam(input: { name: ${at(v7())} }) { team { id name members { nodes { id } } } }`,
    ],
  ];

  async function booked() {
    const { room } = await makeSpace(app);
    const { startsAt, endsAt } = march(19, '10:00', '11:00');
    const { body } = await send(
      `mutation { createBooking(input: { resourceId: "${room.id}", startsAt: "${startsAt}", endsAt: "${endsAt}", guest: { name: "Gil" } }) { booking { id } } }`,
      { as: owner },
    );
    return body.data.createBooking.booking.id as string;
  }

  it.each(mutations)('%s', async (field, write) => {
    const query = `mutation { ${await write()} }`;
    const key = v7();
    const first = await send(query, { key, as: owner });
    expect([first.body.errors, first.body.data?.[field]]).toEqual([undefined, expect.anything()]);
    expect((await send(query, { key, as: owner })).body).toEqual(first.body);
    expect((await send(query, { key, as: owner })).body).toEqual(first.body);
  });
});
