import { v7 } from 'uuid';
import type { Credential } from '../../support/clients/api.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let reader: Credential;
let writer: Credential;
let kreuzberg: string;

beforeAll(async () => {
  app = await startApp();
  reader = { token: await app.token('spaces:read') };
  writer = { token: await app.token('spaces:read', 'spaces:write') };
  const { id } = await app.ctx.db.location.findUniqueOrThrow({ where: { slug: 'kreuzberg' } });
  kreuzberg = id;
});
afterAll(() => app.stop());

const LOCATION = 'id slug name timeZone address phone capacity';

const toNodes = (connection: { edges: { node: { slug: string } }[] }) =>
  connection.edges.map(({ node }) => node);

describe('locations', () => {
  it('are listed by name with their time zone', async () => {
    const { data } = await app.graphql(
      `{ locations { edges { node { ${LOCATION} } } } }`,
      {},
      reader,
    );
    expect(toNodes(data.locations)).toEqual([
      expect.objectContaining({ slug: 'alfama', timeZone: 'Europe/Lisbon', capacity: 60 }),
      {
        id: kreuzberg,
        slug: 'kreuzberg',
        name: 'Foyer Kreuzberg',
        timeZone: 'Europe/Berlin',
        address: 'Lausitzer Hof 7, 10999 Berlin, Germany',
        phone: '+49 30 5550 1234',
        capacity: 140,
      },
    ]);
  });

  const create = (input: object) =>
    app.graphql(
      `mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { ${LOCATION} } } }`,
      { input: { name: 'Foyer Wien', slug: 'wien', timeZone: 'Europe/Vienna', ...input } },
      writer,
    );

  it('can be created with a unique slug', async () => {
    const { data } = await create({ capacity: 12 });
    expect(data.createLocation.location).toEqual({
      id: data.createLocation.location.id,
      slug: 'wien',
      name: 'Foyer Wien',
      timeZone: 'Europe/Vienna',
      address: null,
      phone: null,
      capacity: 12,
    });
    const { errors } = await create({});
    expect(errors[0]?.extensions).toMatchObject({ code: 'CONFLICT', reason: 'TAKEN' });
    // A rejection by the database does not affect later requests.
    expect((await app.rest('/public/events')).status).toBe(200);
    expect((await create({ slug: 'wien-2' })).codes).toEqual([]);
    await app.ctx.db.location.deleteMany({ where: { slug: { in: ['wien', 'wien-2'] } } });
  });

  it.each([
    ['an unknown zone', { timeZone: 'Europe/Atlantis' }, 'UNKNOWN_TIME_ZONE'],
    ['a mere offset', { timeZone: '+01:00' }, 'UNKNOWN_TIME_ZONE'],
    ['a zone in lower case', { timeZone: 'europe/berlin' }, 'UNKNOWN_TIME_ZONE'],
    ['a slug with spaces', { slug: 'foyer wien' }, 'INVALID_INPUT'],
    ['a slug in capitals', { slug: 'Wien' }, 'INVALID_INPUT'],
    ['no name', { name: '' }, 'INVALID_INPUT'],
    ['a capacity of zero', { capacity: 0 }, 'INVALID_INPUT'],
  ])('are rejected with %s', async (_, input, reason) => {
    expect((await create(input)).errors[0]?.extensions).toMatchObject({
      code: 'VALIDATION',
      reason,
    });
  });
});

// Node knows all of these. Bookings would fail in a zone that PostgreSQL does not know.
const HALF_KNOWN = [
  'ACT',
  'JST',
  'PST',
  'Canada/East-Saskatchewan',
  'SystemV/PST8',
  'US/Pacific-New',
];
const ALIASES = ['America/Argentina/Buenos_Aires', 'Asia/Kolkata', 'Europe/Kyiv', 'UTC'];

describe('the zone of a location', () => {
  const create = (timeZone: string) =>
    app.graphql(
      `mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id timeZone } } }`,
      { input: { name: 'Far away', slug: `far-${v7()}`, timeZone } },
      writer,
    );
  const update = (id: string, timeZone: string) =>
    app.graphql(
      `mutation ($id: ID!, $timeZone: String!) {
        updateLocation(input: { id: $id, timeZone: $timeZone }) { location { timeZone } } }`,
      { id, timeZone },
      writer,
    );

  it.each(HALF_KNOWN)('cannot be %s', async (timeZone) => {
    const expected = {
      message: `timeZone: ${timeZone} is not a known IANA time zone. Use a name such as Europe/Berlin.`,
      extensions: expect.objectContaining({ code: 'VALIDATION', reason: 'UNKNOWN_TIME_ZONE' }),
    };
    expect((await create(timeZone)).errors).toEqual([expect.objectContaining(expected)]);
    expect((await update(kreuzberg, timeZone)).errors).toEqual([expect.objectContaining(expected)]);
  });

  it.each(ALIASES)('can be %s and keeps that name', async (timeZone) => {
    const { id } = (await create('Europe/Vienna')).data.createLocation.location;
    expect((await create(timeZone)).data.createLocation.location.timeZone).toBe(timeZone);
    expect((await update(id, timeZone)).data.updateLocation.location.timeZone).toBe(timeZone);
    await app.ctx.db.location.deleteMany({ where: { name: 'Far away' } });
  });
});

describe('a location', () => {
  const update = (id: string, input: object, as = writer) =>
    app.graphql(
      `mutation ($input: UpdateLocationInput!) { updateLocation(input: $input) { location { ${LOCATION} } } }`,
      { input: { id, ...input } },
      as,
    );
  const read = async (id: string) =>
    app.graphql(`query ($id: ID!) { location(id: $id) { ${LOCATION} } }`, { id }, reader);

  it('is found by its id only', async () => {
    expect((await read(kreuzberg)).data.location).toMatchObject({ slug: 'kreuzberg' });
    for (const id of [v7(), 'kreuzberg']) expect((await read(id)).codes).toEqual(['NOT_FOUND']);
  });

  it('updates given fields; null clears optional ones', async () => {
    const { data } = await app.graphql(
      `mutation { createLocation(input: { name: "Graz", slug: "graz", timeZone: "Europe/Vienna", address: "Ring 1", capacity: 9 }) { location { id } } }`,
      {},
      writer,
    );
    const { id } = data.createLocation.location;
    const changed = await update(id, { name: 'Foyer Graz', capacity: null, timeZone: null });
    expect(changed.data.updateLocation.location).toEqual({
      id,
      slug: 'graz',
      name: 'Foyer Graz',
      timeZone: 'Europe/Vienna',
      address: 'Ring 1',
      phone: null,
      capacity: null,
    });
    const again = await update(id, {
      address: null,
      phone: '+39 06 5550 123',
      timeZone: 'Europe/Rome',
      capacity: 3,
    });
    expect(again.data.updateLocation.location).toMatchObject({
      name: 'Foyer Graz',
      address: null,
      phone: '+39 06 5550 123',
      timeZone: 'Europe/Rome',
      capacity: 3,
    });
    expect((await read(id)).data.location).toEqual(again.data.updateLocation.location);
    await update(id, { lookupAccess: 'KIOSKS' });
    await update(id, { lookupAccess: null });
    const { data: result } = await app.graphql(
      `{ location(id: "${id}") { lookupNames lookupAccess } }`,
      {},
      reader,
    );
    expect(result.location).toEqual({ lookupNames: true, lookupAccess: 'KIOSKS' });
    await app.ctx.db.location.delete({ where: { id } });
  });

  it.each([
    ['an unknown zone', { timeZone: 'Moon/Base' }, 'VALIDATION'],
    ['a blank name', { name: ' ' }, 'VALIDATION'],
    ['a capacity of zero', { capacity: 0 }, 'VALIDATION'],
    ['another slug', { slug: 'x' }, 'BAD_REQUEST'],
  ])('rejects %s', async (_, input, code) => {
    expect((await update(kreuzberg, input)).codes).toEqual([code]);
  });

  it('requires spaces:write and an existing id to update', async () => {
    expect((await update(v7(), { name: 'x' })).codes).toEqual(['NOT_FOUND']);
    expect((await update(kreuzberg, { name: 'x' }, reader)).codes).toEqual(['FORBIDDEN']);
  });
});
