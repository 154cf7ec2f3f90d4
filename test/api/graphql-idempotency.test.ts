import { v7 } from 'uuid';
import { type Credential, STAFF, startApp, type TestApp } from '../support/app.ts';
import { PASSWORD } from '../support/seed.ts';
import { makeMember, makeSpace, makeStaff, march } from '../support/space.ts';

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

interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
  data: any;
  errors?: { message: string; extensions: Record<string, unknown> }[];
}

async function send(
  query: string,
  { variables = {}, key, as = writer }: { variables?: object; key?: string; as?: Credential },
) {
  const answer = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(as.token ? { authorization: `Bearer ${as.token}` } : {}),
      ...(as.cookie ? { cookie: as.cookie } : {}),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify({ query, variables }),
  });
  return {
    status: answer.status,
    cookies: answer.headers.getSetCookie(),
    body: (await answer.json()) as Answer,
  };
}
const reasonOf = ({ body }: { body: Answer }) => body.errors?.[0]?.extensions;

const CREATE_MEMBER = `mutation ($input: CreateMemberInput!) {
  createMember(input: $input) { id name email code createdAt team { id } } }`;
const somebody = () => {
  names += 1;
  return { name: 'Some Body', email: `once-in-graphql-${names}@example.org` };
};
const membersWith = (email: string) => app.ctx.db.member.count({ where: { email } });
const keys = () => app.ctx.db.idempotencyKey.count();
const REUSED = { code: 'VALIDATION', reason: 'IDEMPOTENCY_KEY_REUSED' };

describe('a mutation with an Idempotency-Key', () => {
  it('is done once and answered every time as the first time', async () => {
    const [input, key] = [somebody(), v7()];
    const first = await send(CREATE_MEMBER, { variables: { input }, key });
    expect(first.body.data.createMember).toMatchObject(input);
    for (let time = 2; time <= 4; time += 1) {
      const again = await send(CREATE_MEMBER, { variables: { input }, key });
      expect(again.body).toEqual(first.body);
    }
    expect(await membersWith(input.email)).toBe(1);
    const other = await send(CREATE_MEMBER, { variables: { input }, key: v7() });
    expect(reasonOf(other)).toMatchObject({ code: 'CONFLICT', reason: 'TAKEN' });
  });

  it('is done once where many ask at the same moment, and all get the one answer', async () => {
    const [input, key] = [somebody(), v7()];
    const ask = (key: string) => send(CREATE_MEMBER, { variables: { input }, key });
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(key)));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers[0]?.body.data.createMember).toMatchObject(input);
    expect(await membersWith(input.email)).toBe(1);
  });

  it('gives the same secret again', async () => {
    const query = `mutation ($input: CreateApiTokenInput!) {
      createApiToken(input: $input) { plainText token { id createdAt createdBy expiresAt lastUsedAt } } }`;
    const input = { name: v7(), scopes: ['members:read'], expiresAt: '2027-01-01T00:00:00Z' };
    const request = { variables: { input }, key: v7(), as: owner };
    const answers = [
      await send(query, request),
      await send(query, request),
      await send(query, request),
    ];
    const [issued, ...later] = answers.map(({ body }) => body.data.createApiToken);
    expect(issued).toMatchObject({
      plainText: expect.stringMatching(/^foyer_/),
      token: { expiresAt: '2027-01-01T00:00:00.000Z', lastUsedAt: null },
    });
    expect(later).toEqual([issued, issued]);
    expect(await app.ctx.db.apiToken.count({ where: { name: input.name } })).toBe(1);
  });

  it('is another request with other arguments, or as another field at the same place', async () => {
    const [input, key] = [somebody(), v7()];
    await send(CREATE_MEMBER, { variables: { input }, key });
    const changed = { ...input, name: 'Another' };
    expect(reasonOf(await send(CREATE_MEMBER, { variables: { input: changed }, key }))).toEqual(
      REUSED,
    );
    const other = `mutation ($input: CreateTeamInput!) { createMember: createTeam(input: $input) { id } }`;
    expect(reasonOf(await send(other, { variables: { input: { name: 'x' } }, key }))).toEqual(
      REUSED,
    );
  });

  it('is the same request whatever it wants to know of the answer, and however it is written', async () => {
    const [input, key] = [somebody(), v7()];
    const first = await send(CREATE_MEMBER, { variables: { input }, key });
    const { id } = first.body.data.createMember;
    const inline = `mutation { createMember(input: { email: "${input.email}", name: "${input.name}" }) { id status } }`;
    expect((await send(inline, { key })).body).toEqual({
      data: { createMember: { id, status: 'ACTIVE' } },
    });
    expect(await membersWith(input.email)).toBe(1);
  });

  it('stands for itself beside another one in the same document', async () => {
    const [a, b, key] = [somebody(), somebody(), v7()];
    const query = `mutation ($a: CreateMemberInput!, $b: CreateMemberInput!) {
      a: createMember(input: $a) { id email } b: createMember(input: $b) { id email } }`;
    const first = await send(query, { variables: { a, b }, key });
    expect(first.body.data).toMatchObject({ a: { email: a.email }, b: { email: b.email } });
    expect((await send(query, { variables: { a, b }, key })).body).toEqual(first.body);
    const halfway = await send(query, { variables: { a, b: somebody() }, key });
    expect(reasonOf(halfway)).toEqual(REUSED);
    expect([await membersWith(a.email), await membersWith(b.email)]).toEqual([1, 1]);
  });

  it('that was refused stays refused in the same words', async () => {
    const [input, key] = [somebody(), v7()];
    await send(CREATE_MEMBER, { variables: { input } });
    const first = await send(CREATE_MEMBER, { variables: { input }, key });
    expect(reasonOf(first)).toMatchObject({ code: 'CONFLICT', reason: 'TAKEN' });
    await app.ctx.db.member.delete({ where: { email: input.email } });
    const again = await send(CREATE_MEMBER, { variables: { input }, key });
    expect(again.body.errors?.[0]).toEqual(first.body.errors?.[0]);
    expect(await membersWith(input.email)).toBe(0);
  });

  it('that failed on our side is undone, and may succeed the next time', async () => {
    const [input, key] = [somebody(), v7()];
    const { db } = app.ctx;
    await db.$executeRawUnsafe(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION 'the disk is full'; END $$`);
    await db.$executeRawUnsafe(
      'CREATE TRIGGER full_disk AFTER INSERT ON members EXECUTE FUNCTION full_disk()',
    );
    const failed = await send(CREATE_MEMBER, { variables: { input }, key });
    await db.$executeRawUnsafe('DROP TRIGGER full_disk ON members');
    expect(reasonOf(failed)).toMatchObject({ code: 'INTERNAL' });
    expect(await membersWith(input.email)).toBe(0);
    const again = await send(CREATE_MEMBER, { variables: { input }, key });
    expect(again.body.data.createMember).toMatchObject(input);
  });

  it('is kept only for who may do it, and told only to who still may', async () => {
    const key = v7();
    const before = await keys();
    const reader = { token: await app.token('members:read') };
    const input = somebody();
    expect(reasonOf(await send(CREATE_MEMBER, { variables: { input }, key, as: reader }))).toEqual(
      expect.objectContaining({ code: 'FORBIDDEN' }),
    );
    expect(reasonOf(await send(CREATE_MEMBER, { variables: { input }, key, as: {} }))).toEqual(
      expect.objectContaining({ code: 'UNAUTHENTICATED' }),
    );
    expect(await keys()).toBe(before);

    const staff = await makeStaff(app);
    const create = () => send(CREATE_MEMBER, { variables: { input }, key, as: staff });
    expect((await create()).body.data.createMember).toMatchObject(input);
    const { id } = await app.ctx.db.user.findFirstOrThrow({ orderBy: { id: 'desc' } });
    await app.ctx.db.session.deleteMany({ where: { userId: id } });
    expect(reasonOf(await create())).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('answers no more at once when it is sent again than any other does', async () => {
    const [input, key] = [somebody(), v7()];
    await send(CREATE_MEMBER, { variables: { input }, key });
    const deep = `mutation ($input: CreateMemberInput!) { createMember(input: $input) {
      ${'team { members { '.repeat(5)} id ${'} } '.repeat(5)} } }`;
    expect(reasonOf(await send(deep, { variables: { input }, key }))).toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it.each([
    ['empty', ''],
    ['of 256 characters', 'k'.repeat(256)],
  ])('cannot be read where the key is %s', async (_, key) => {
    const input = somebody();
    const answer = await send(CREATE_MEMBER, { variables: { input }, key });
    expect([answer.status, reasonOf(answer)?.code]).toEqual([400, 'BAD_REQUEST']);
    expect(await membersWith(input.email)).toBe(0);
  });

  it('does not matter to signing in, which sets a cookie every time', async () => {
    const query = `mutation { signIn(email: "${STAFF.owner}", password: "${PASSWORD}") }`;
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

describe('what is kept answers everything that can be asked of it', () => {
  const LOCATION = 'id slug name timeZone address capacity openingHours { weekday opens closes }';
  const BOOKING = `id status title startsAt endsAt createdAt checkedInAt resource { id name location { name } }
    location { timeZone } member { id name email } guest { name } price { amount currency }
    cancellation { cancelledAt reason fee { amount } }`;
  const at = JSON.stringify;
  /** A mutation whose answer is made of what was there before. */
  const asked: [string, () => Promise<string>][] = [
    [
      'createBooking',
      async () => {
        const { room } = await makeSpace(app);
        const { startsAt, endsAt } = march(19, '10:00', '11:00');
        return `createBooking(input: { resourceId: "${room.id}", startsAt: "${startsAt}", endsAt: "${endsAt}",
          memberId: "${(await makeMember(app)).id}" }) { ${BOOKING} }`;
      },
    ],
    [
      'createBookingSeries',
      async () => {
        const { room } = await makeSpace(app);
        const { startsAt, endsAt } = march(19, '10:00', '11:00');
        return `createBookingSeries(input: { resourceId: "${room.id}", startsAt: "${startsAt}", endsAt: "${endsAt}",
          guest: { name: "Gil" }, rule: "FREQ=DAILY;COUNT=5", onConflict: SKIP, exdates: ["${startsAt}"] }) {
          id rule bookings { ${BOOKING} } conflicts { startsAt endsAt localStart reasons { reason message } } }`;
      },
    ],
    [
      'cancelBooking',
      async () => `cancelBooking(id: "${await booked()}", reason: "ill") { ${BOOKING} }`,
    ],
    [
      'rescheduleBooking',
      async () => {
        const { startsAt, endsAt } = march(20, '10:00', '11:00');
        return `rescheduleBooking(id: "${await booked()}", startsAt: "${startsAt}", endsAt: "${endsAt}") { ${BOOKING} }`;
      },
    ],
    [
      'updateBooking',
      async () => `updateBooking(id: "${await booked()}", input: { title: "Talk" }) { ${BOOKING} }`,
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
        url feed { id prefix createdAt revokedAt resource { id name capacity } member { id } } }`,
    ],
    [
      'createClosure',
      async () => `createClosure(input: { locationId: "${(await makeSpace(app)).location.id}",
        startsOn: "2026-03-20", endsOn: "2026-03-21" }) { id startsOn endsOn reason bookingsAffected location { ${LOCATION} } }`,
    ],
    [
      'setOpeningHours',
      async () => `setOpeningHours(locationId: "${(await makeSpace(app)).location.id}",
        hours: [{ weekday: MONDAY, opens: "09:00", closes: "24:00" }]) { ${LOCATION} }`,
    ],
    [
      'createLocation',
      async () =>
        `createLocation(input: { name: "New", slug: "${v7()}", timeZone: "Asia/Tokyo" }) { ${LOCATION} closures { id } }`,
    ],
    [
      'createResource',
      async () => `createResource(input: { locationId: "${(await makeSpace(app)).location.id}", name: "Cave", slug: "${v7()}", type: ROOM }) {
        id slug name type capacity amenities active pricePerHour { amount currency } location { ${LOCATION} } }`,
    ],
    [
      'createMembership',
      async () => {
        const { id } = await app.ctx.db.plan.findFirstOrThrow({ where: { active: true } });
        return `createMembership(input: { planId: "${id}", memberId: "${(await makeMember(app)).id}", startsOn: "2026-03-01" }) {
          id startsOn endsOn plan { name price { amount } benefits { resourceType includedHours } } member { id name createdAt } usage { resourceType } }`;
      },
    ],
    [
      'createPlan',
      async () => `createPlan(input: { name: ${at(v7())}, price: { amount: 1, currency: "EUR" }, benefits: [{ resourceType: ROOM, includedHours: 2 }] }) {
        id name price { amount currency } interval active benefits { resourceType includedHours discountPercent limitHours } }`,
    ],
    [
      'createTeam',
      async () => `createTeam(input: { name: ${at(v7())} }) { id name members { id } }`,
    ],
  ];

  async function booked() {
    const { room } = await makeSpace(app);
    const { startsAt, endsAt } = march(19, '10:00', '11:00');
    const { body } = await send(
      `mutation { createBooking(input: { resourceId: "${room.id}", startsAt: "${startsAt}", endsAt: "${endsAt}", guest: { name: "Gil" } }) { id } }`,
      { as: owner },
    );
    return body.data.createBooking.id as string;
  }

  it.each(asked)('%s', async (field, write) => {
    const query = `mutation { ${await write()} }`;
    const key = v7();
    const first = await send(query, { key, as: owner });
    expect([first.body.errors, first.body.data?.[field]]).toEqual([undefined, expect.anything()]);
    expect((await send(query, { key, as: owner })).body).toEqual(first.body);
    expect((await send(query, { key, as: owner })).body).toEqual(first.body);
  });
});
