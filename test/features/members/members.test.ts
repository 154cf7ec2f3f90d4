import { v7 } from 'uuid';
import { hashPassword } from '../../../src/auth/passwords.ts';
import { createTeam } from '../../../src/features/teams/service.ts';
import type { Credential } from '../../support/clients/api.ts';
import { PASSWORD } from '../../support/factories/seed.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let reader: Credential;
let writer: Credential;

beforeAll(async () => {
  app = await startApp();
  reader = { token: await app.token('members:read') };
  writer = { token: await app.token('members:write') };
});
afterAll(() => app.stop());

const MEMBER = 'id name email phone company status code createdAt';

const create = (input: object, as = writer) =>
  app.graphql(
    `mutation ($input: CreateMemberInput!) { createMember(input: $input) { member { id } } }`,
    { input },
    as,
  );

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

  it('has an address for invoices and a customer number that nobody else has, as a team does', async () => {
    const all = { token: await app.token('members:read', 'members:write') };
    const billing = {
      ...{ address: 'Road 1\nBack house', postcode: '10115', city: 'Berlin', country: ' de ' },
      customerNumber: '10042',
    };
    const FIELDS = 'address postcode city country customerNumber';
    for (const [noun, type] of [
      ['member', 'Member'],
      ['team', 'Team'],
    ] as const) {
      const create = (name: string, fields: object) =>
        app.graphql(
          `mutation ($input: Create${type}Input!) { create${type}(input: $input) { ${noun} { id ${FIELDS} } } }`,
          {
            input: {
              name,
              ...(noun === 'member' && { email: `${name}@example.org` }),
              ...fields,
            },
          },
          all,
        );
      const first = await create(`Payer1${noun}`, billing);
      expect(first.data[`create${type}`][noun]).toMatchObject({ ...billing, country: 'DE' });
      const second = await create(`Payer2${noun}`, {});
      const { id, ...empty } = second.data[`create${type}`][noun];
      expect(Object.values(empty)).toEqual([null, null, null, null, null]);
      const update = await app.graphql(
        `mutation ($input: Update${type}Input!) { update${type}(input: $input) { ${noun} { id } } }`,
        { input: { id, customerNumber: '10042' } },
        all,
      );
      for (const { errors } of [update, await create(`Payer3${noun}`, billing)])
        expect(errors[0]?.extensions).toMatchObject({
          code: 'CONFLICT',
          reason: 'TAKEN',
          fields: [{ field: 'customerNumber' }],
        });
      const unknown = await create(`Payer4${noun}`, { country: 'XX' });
      expect(unknown.codes).toEqual(['VALIDATION']);
    }
  });

  it.each([
    ['without a name', { name: ' ', email: 'x@example.org' }, 'VALIDATION'],
    ['without an address', { name: 'X', email: 'example.org' }, 'VALIDATION'],
    ['with too long a name', { name: 'x'.repeat(101), email: 'x@example.org' }, 'VALIDATION'],
    ['with a NUL in the name', { name: 'X\0', email: 'x@example.org' }, 'VALIDATION'],
    [
      'with a link in the name',
      { name: 'Win at www.evil.com', email: 'x@example.org' },
      'VALIDATION',
    ],
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
    const inTeam = await app.graphql(
      'query ($teamId: ID!) { members(filter: { teamId: $teamId }, first: 5) { nodes { id } } }',
      { teamId: team.id },
      reader,
    );
    expect(inTeam.data.members.nodes).toEqual([data.createMember.member]);
    expect((await create({ ...input, email: 'y@example.org', teamId: v7() })).codes).toEqual([
      'NOT_FOUND',
    ]);
  });
});
