import fc from 'fast-check';
import { v7 } from 'uuid';
import { hashPassword } from '../../../src/auth/passwords.ts';
import { createTeam } from '../../../src/features/teams/service.ts';
import type { Credential } from '../../support/clients/api.ts';
import { PASSWORD } from '../../support/factories/seed.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';
import { propertyRuns } from '../../support/harness/property-runs.ts';

interface Person {
  id: string;
  name: string;
  email: string;
  phone: string | null;
  company: string | null;
  status: string;
  team: { name: string } | null;
}

/** What a search finds a member by. The demo has no letters with a stroke. */
const toTexts = ({ name, email, company, team }: Omit<Person, 'status'>) =>
  [name, email, company, team?.name]
    .filter((text) => text != null)
    .map((text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase());

let app: TestApp;
let reader: Credential;
let writer: Credential;
let everybody: Person[];

beforeAll(async () => {
  app = await startApp();
  reader = { token: await app.token('members:read') };
  writer = { token: await app.token('members:write') };
  everybody = await app.ctx.db.member.findMany({
    include: { team: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
});
afterAll(() => app.stop());

const MEMBER = 'id name email phone company status code createdAt';

async function walk(filter: object, first: number) {
  const text = `query ($filter: MemberFilter, $first: Int, $after: String) {
    members(filter: $filter, first: $first, after: $after) {
      edges { node { id } } pageInfo { endCursor hasNextPage } } }`;
  const ids: string[] = [];
  for (let after: string | null = null; ; ) {
    const { data } = await app.graphql(text, { filter, first, after }, reader);
    ids.push(...data.members.edges.map(({ node }: { node: { id: string } }) => node.id));
    if (!data.members.pageInfo.hasNextPage) return ids;
    after = data.members.pageInfo.endCursor;
  }
}

const create = (input: object, as = writer) =>
  app.graphql(
    `mutation ($input: CreateMemberInput!) { createMember(input: $input) { member { id } } }`,
    { input },
    as,
  );

const toDigits = (text: string | null) => (text ?? '').replace(/\D/g, '');

/** The rule of the search for phone numbers, of texts that do not begin with a plus sign or zeros. */
const includesPhone = ({ phone }: Pick<Person, 'phone'>, q: string) =>
  /^[\d ]+$/.test(q) && toDigits(q).length > 3 && toDigits(phone).includes(toDigits(q));

/** The rule of the search: one or two letters are the beginning of a word. */
const includesText = (text: string, q: string) =>
  q.length > 2 ? text.includes(q) : ` ${text}`.includes(` ${q}`);

describe('members', () => {
  it('are found by the digits of their phone, however it is written', async () => {
    const phones = ['+49 30 1234-567', '030/1234567', '(030) 123 45 67', '0049301234567'];
    const ids = await Promise.all(
      phones.map(async (phone, n) => {
        const input = { name: `Phone ${n}`, email: `phone-${n}@example.net`, phone };
        return (await create(input)).data.createMember.member.id as string;
      }),
    );
    const find = async (q: string) => (await walk({ q }, 50)).sort();
    for (const q of [...phones, '30 1234', '+49 (30) 1234567', '0 30 12 34'])
      expect([q, await find(q)]).toEqual([q, [...ids].sort()]);
    // Numbers without a country code can be of any country.
    expect(await find('+48 30 1234567')).toEqual([ids[1], ids[2]].sort());
    for (const q of ['567', '+49 31 1234567', '030/1234568'])
      expect([q, await find(q)]).toEqual([q, []]);
    await app.ctx.db.member.deleteMany({ where: { id: { in: ids } } });
  });

  it('are paginated by name with any search', async () => {
    const letters = everybody.flatMap(({ name, email, company, phone, team }) => [
      name.slice(0, 4),
      ...[1, 2, 3].map((length) => name.slice(2, 2 + length)),
      (name.split(' ').at(-1) ?? '').slice(0, 2),
      name.toUpperCase(),
      email.split('@')[1] ?? '',
      ...[company, phone, team?.name].map((text) => text?.slice(1, 6) ?? name),
    ]);
    const filters = fc.record({
      q: fc.option(
        fc.constantFrom(...letters.filter((text) => text.trim() !== ''), '%', '_', '\\', 'nobody'),
        { nil: undefined },
      ),
      status: fc.option(fc.subarray(['ACTIVE', 'PAUSED', 'FORMER'], { minLength: 1 }), {
        nil: undefined,
      }),
    });
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 3, max: 50 }), async (filter, first) => {
        const q = (filter.q ?? '').trim().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
        const found = everybody.filter(
          ({ status, ...member }) =>
            (toTexts(member).some((text) => includesText(text, q)) || includesPhone(member, q)) &&
            (filter.status?.includes(status.toUpperCase()) ?? true),
        );
        expect(await walk(filter, first)).toEqual(found.map(({ id }) => id));
      }),
      { numRuns: propertyRuns(10) },
    );
  });

  it('are found without their accents, by name, company, phone and team', async () => {
    const team = await createTeam(app.ctx, { name: 'Żagle Łódź' });
    const { id } = await app.ctx.db.member.create({
      data: {
        name: 'Małgorzata Zielińska',
        email: 'mz@example.org',
        code: 'ZIELINSKA',
        company: 'Straße & Søn',
        phone: '+48 22 555',
        teamId: team.id,
      },
    });
    for (const q of [
      'zielinska',
      'ZIELIŃSKA',
      'malgo',
      'zi',
      'strasse',
      'son',
      '22 555',
      'zagle lodz',
    ])
      expect([q, await walk({ q }, 10)]).toEqual([q, expect.arrayContaining([id])]);
    expect(await walk({ q: 'zielinskas' }, 10)).toEqual([]);
    await app.ctx.db.member.delete({ where: { id } });
    await app.ctx.db.team.delete({ where: { id: team.id } });
  });

  it('can be filtered by plan, by having none, and by erasure', async () => {
    const { db } = app.ctx;
    const plan = await db.plan.create({ data: { name: 'Filter' } });
    const team = await createTeam(app.ctx, { name: 'Filtered' });
    const people = ['own', 'team', 'ended', 'future', 'none'].map((name) => ({
      name: `Filter ${name}`,
      email: `filter-${name}@example.org`,
      code: `FILTER${name}`,
      teamId: name === 'team' ? team.id : null,
    }));
    const erased = { name: 'Deleted person', email: `deleted-${v7()}@deleted.invalid`, code: 'X0' };
    const rows = await db.member.createManyAndReturn({ data: [...people, erased] });
    const idOf = (name: string) => rows.find((row) => row.name === `Filter ${name}`)?.id ?? '';
    const today = app.clock.now.getTime();
    const day = (days: number) => new Date(today + days * 86_400_000);
    await db.membership.createMany({
      data: [
        { planId: plan.id, memberId: idOf('own'), startsOn: day(0), endsOn: day(0) },
        { planId: plan.id, teamId: team.id, startsOn: day(-9) },
        { planId: plan.id, memberId: idOf('ended'), startsOn: day(-9), endsOn: day(-1) },
        { planId: plan.id, memberId: idOf('future'), startsOn: day(1) },
      ],
    });
    const q = 'filter-';
    expect(await walk({ planId: plan.id }, 10)).toEqual([idOf('own'), idOf('team')]);
    expect(await walk({ planId: plan.id, withoutPlan: true }, 10)).toEqual([]);
    const without = [idOf('ended'), idOf('future'), idOf('none')];
    expect(await walk({ withoutPlan: true, q }, 10)).toEqual(without);
    const erasedId = rows.at(-1)?.id;
    expect(await walk({ erased: true }, 10)).toContain(erasedId);
    expect(await walk({ erased: false }, 50)).not.toContain(erasedId);
    const counts = '{ plans(filter: { q: "Filter" }) { nodes { name memberCount } } }';
    const both = { token: await app.token('plans:read', 'members:read') };
    expect((await app.graphql(counts, {}, both)).data.plans.nodes).toEqual([
      { name: 'Filter', memberCount: 2 },
    ]);
    await db.membership.deleteMany({ where: { planId: plan.id } });
    await db.member.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } });
    await db.plan.delete({ where: { id: plan.id } });
    await db.team.delete({ where: { id: team.id } });
  });

  it('return all fields with the right scopes', async () => {
    const text = `{ members(filter: { q: "ben@" }) { edges { node { ${MEMBER} } } } }`;
    const { data } = await app.graphql(text, {}, reader);
    const row = await app.ctx.db.member.findUniqueOrThrow({ where: { email: 'ben@example.org' } });
    expect(data.members.edges).toEqual([
      {
        node: {
          id: row.id,
          name: 'Ben Okafor',
          email: 'ben@example.org',
          phone: row.phone,
          company: row.company,
          status: 'ACTIVE',
          code: null, // read scopes do not show admission codes
          createdAt: row.createdAt.toISOString(),
        },
      },
    ]);
    expect((await app.graphql(text, {}, writer)).codes).toEqual(['FORBIDDEN']);
  });

  it('reject an empty search', async () => {
    const { codes } = await app.graphql(
      '{ members(filter: { q: " " }) { edges { cursor } } }',
      {},
      reader,
    );
    expect(codes).toEqual(['VALIDATION']);
  });
});

describe('a new member', () => {
  it('is active, with a unique code and an address in lower case', async () => {
    const all = { token: await app.token('members:read', 'members:write') };
    const { data } = await app.graphql(
      `mutation ($input: CreateMemberInput!) { createMember(input: $input) { member { ${MEMBER} } } }`,
      { input: { name: ' Noor Haddad ', email: 'Noor@Example.org', company: 'Noor & Co' } },
      all,
    );
    expect(data.createMember.member).toMatchObject({
      name: 'Noor Haddad',
      email: 'noor@example.org',
      phone: null,
      company: 'Noor & Co',
      status: 'ACTIVE',
    });
    expect(data.createMember.member.code).toMatch(/^[2-9B-DF-HJ-NP-TV-XZ]{10}$/);
    const again = await create({ name: 'Noor', email: 'NOOR@example.org' });
    expect(again.errors[0]?.extensions).toMatchObject({
      reason: 'TAKEN',
      fields: [{ field: 'email' }],
    });
  });

  it.each([
    ['without a name', { name: ' ', email: 'x@example.org' }, 'VALIDATION'],
    ['without an address', { name: 'X', email: 'example.org' }, 'VALIDATION'],
    ['with too long a name', { name: 'x'.repeat(101), email: 'x@example.org' }, 'VALIDATION'],
    ['with a NUL in the name', { name: 'X\0', email: 'x@example.org' }, 'VALIDATION'],
    ['with a link in the name', { name: 'Win at evil.com', email: 'x@example.org' }, 'VALIDATION'],
    ['with a name on two lines', { name: 'Ben\nBcc: x', email: 'x@example.org' }, 'VALIDATION'],
    ['with an unknown field', { name: 'X', email: 'x@a.org', vip: 1 }, 'BAD_REQUEST'],
  ])('is rejected %s', async (_, input, code) => {
    expect((await create(input)).codes).toEqual([code]);
  });

  it('can be created without members:read, which limits the response', async () => {
    const input = { name: 'Quiet', email: 'quiet@example.org' };
    expect((await create(input)).codes).toEqual([]);
    expect((await create(input, reader)).codes).toEqual(['FORBIDDEN']);
  });
});

describe('a member', () => {
  const ALL = `${MEMBER} team { id name }`;
  const both = async () => ({ token: await app.token('members:read', 'members:write') });
  const update = async (id: string, input: object) =>
    app.graphql(
      `mutation ($input: UpdateMemberInput!) { updateMember(input: $input) { member { ${ALL} } } }`,
      { input: { id, ...input } },
      await both(),
    );
  const read = (id: string) =>
    app.graphql(`query ($id: ID!) { member(id: $id) { ${ALL} } }`, { id }, reader);

  let id: string;
  let email: string;
  let cookie: string;

  beforeEach(async () => {
    email = `${v7()}@example.org`;
    const made = await app.ctx.db.member.create({
      data: { name: 'Ola Nordin', email, phone: '1', company: 'Nordin', code: v7() },
    });
    id = made.id;
    const passwordHash = await hashPassword(PASSWORD);
    await app.ctx.db.user.create({ data: { name: made.name, email, memberId: id, passwordHash } });
    cookie = await app.signIn(email);
  });

  it('is found by its id only', async () => {
    expect((await read(id)).data.member).toMatchObject({ email, team: null });
    for (const other of [v7(), 'x']) expect((await read(other)).codes).toEqual(['NOT_FOUND']);
  });

  it('updates given fields; null clears optional ones', async () => {
    const team = await createTeam(app.ctx, { name: `Team of ${id}` });
    const before = (await read(id)).data.member;
    const first = await update(id, { name: 'Ola N.', phone: null, teamId: team.id, email: null });
    expect(first.data.updateMember.member).toEqual({
      ...before,
      code: expect.any(String),
      name: 'Ola N.',
      phone: null,
      team: { id: team.id, name: team.name },
    });
    const second = await update(id, { company: null, teamId: null, status: 'PAUSED', phone: '2' });
    expect(second.data.updateMember.member).toEqual({
      ...before,
      code: expect.any(String),
      name: 'Ola N.',
      phone: '2',
      company: null,
      team: null,
      status: 'PAUSED',
    });
    expect((await read(id)).data.member).toEqual({
      ...second.data.updateMember.member,
      code: null,
    });
  });

  it('renames their account and keeps the address until the new one is confirmed', async () => {
    await update(id, { name: 'Ola Renamed' });
    const { data } = await update(id, { email: `NEW-${email}` });
    expect(data.updateMember.member.email).toBe(email);
    const { data: response } = await app.graphql('{ viewer { name } }', {}, { cookie });
    expect(response.viewer.name).toBe('Ola Renamed');
    await expect(app.signIn(`new-${email}`)).rejects.toThrow();
  });

  it('cannot take the address of another member or of staff', async () => {
    for (const reserved of ['ben@example.org', 'ada@example.org']) {
      const { errors } = await update(id, { name: 'Ben', email: reserved });
      expect(errors[0]?.extensions).toMatchObject({ code: 'CONFLICT', reason: 'TAKEN' });
    }
    expect((await read(id)).data.member).toMatchObject({ name: 'Ola Nordin', email });
  });

  it('is signed out as former and stays signed out when active again', async () => {
    const me = async () => (await app.graphql('{ me { id } }', {}, { cookie })).data?.me ?? null;
    expect(await me()).toEqual({ id });
    await update(id, { status: 'FORMER' });
    expect(await me()).toBeNull();
    await update(id, { status: 'ACTIVE' });
    expect(await me()).toBeNull();
    cookie = await app.signIn(email);
    expect(await me()).toEqual({ id });
  });

  it.each([
    ['a blank name', { name: ' ' }, 'VALIDATION'],
    ['an invalid address', { email: 'ola' }, 'VALIDATION'],
    ['a blank phone', { phone: '' }, 'VALIDATION'],
    ['an unknown team', { teamId: v7() }, 'NOT_FOUND'],
    ['a code of their choice', { code: 'ME' }, 'BAD_REQUEST'],
  ])('rejects %s', async (_, input, code) => {
    expect((await update(id, input)).codes).toEqual([code]);
  });

  it('requires members:write and an existing id to update', async () => {
    expect((await update(v7(), { name: 'x' })).codes).toEqual(['NOT_FOUND']);
    const text = `mutation ($id: ID!) { updateMember(input: { id: $id, name: "x" }) { member { id } } }`;
    expect((await app.graphql(text, { id }, { cookie })).codes).toEqual(['FORBIDDEN']);
    expect((await app.graphql(text, { id }, reader)).codes).toEqual(['FORBIDDEN']);
  });

  it('can read their own record and nobody else’s', async () => {
    const text = `{ me { ${ALL} memberships { nodes { id } } currentMembership { id } } }`;
    const { data, codes } = await app.graphql(text, {}, { cookie });
    expect(codes).toEqual([]);
    expect(data.me).toMatchObject({ id, email, phone: '1', company: 'Nordin', status: 'ACTIVE' });
    for (const field of ['email', 'code', 'memberships { nodes { id } }', 'team { id }']) {
      const other = await app.graphql(`{ member(id: "${id}") { ${field} } }`, {}, { cookie });
      expect(other.codes).toEqual(['FORBIDDEN']);
    }
    const team = await createTeam(app.ctx, { name: `Colleagues of ${id}` });
    await update(id, { teamId: team.id });
    expect((await app.graphql('{ me { team { name } } }', {}, { cookie })).codes).toEqual([]);
    const colleagues = await app.graphql(
      '{ me { team { members { nodes { id } } } } }',
      {},
      { cookie },
    );
    expect(colleagues.codes).toEqual(['FORBIDDEN']);
  });

  it('is null in me for staff', async () => {
    const staff = { cookie: await app.signIn(STAFF.owner) };
    expect((await app.graphql('{ me { id } }', {}, staff)).data).toEqual({ me: null });
    expect((await app.graphql('{ me { id } }', {}, reader)).codes).toEqual(['FORBIDDEN']);
  });

  it('can be created in an existing team', async () => {
    const team = await createTeam(app.ctx, { name: `Team from the start ${id}` });
    const input = { name: 'New', email: `${v7()}@example.org`, teamId: team.id };
    const { data } = await create(input);
    expect((await read(data.createMember.member.id)).data.member.team.id).toBe(team.id);
    expect(await walk({ teamId: team.id }, 5)).toEqual([data.createMember.member.id]);
    expect((await create({ ...input, email: 'y@example.org', teamId: v7() })).codes).toEqual([
      'NOT_FOUND',
    ]);
  });
});
