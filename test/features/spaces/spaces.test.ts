import { v7 } from 'uuid';
import { type Credential, startApp, type TestApp } from '../../support/app.ts';

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

const LOCATION = 'id slug name timeZone address capacity';
const RESOURCE = `id slug name type capacity location { ${LOCATION} }
  pricePerHour { amount currency } minMinutes maxMinutes gridMinutes bufferMinutes noticeMinutes
  daysAhead freeCancellationHours noShowMinutes requiresApproval amenities active`;

const nodesOf = (connection: { edges: { node: { slug: string } }[] }) =>
  connection.edges.map(({ node }) => node);

describe('locations', () => {
  it('are listed by name with their time zone', async () => {
    const { data } = await app.graphql(
      `{ locations { edges { node { ${LOCATION} } } } }`,
      {},
      reader,
    );
    expect(nodesOf(data.locations)).toEqual([
      expect.objectContaining({ slug: 'alfama', timeZone: 'Europe/Lisbon', capacity: 60 }),
      {
        id: kreuzberg,
        slug: 'kreuzberg',
        name: 'Foyer Kreuzberg',
        timeZone: 'Europe/Berlin',
        address: 'Lausitzer Hof 7, 10999 Berlin, Germany',
        capacity: 140,
      },
    ]);
  });

  const create = (input: object) =>
    app.graphql(
      `mutation ($input: CreateLocationInput!) { createLocation(input: $input) { ${LOCATION} } }`,
      { input: { name: 'Foyer Wien', slug: 'wien', timeZone: 'Europe/Vienna', ...input } },
      writer,
    );

  it('can be created with a unique slug', async () => {
    const { data } = await create({ capacity: 12 });
    expect(data.createLocation).toEqual({
      id: data.createLocation.id,
      slug: 'wien',
      name: 'Foyer Wien',
      timeZone: 'Europe/Vienna',
      address: null,
      capacity: 12,
    });
    const { errors } = await create({});
    expect(errors[0]?.extensions).toEqual({ code: 'CONFLICT', reason: 'TAKEN' });
    // A refusal by the database leaves it as good as before.
    expect((await app.rest('/public/events')).status).toBe(200);
    expect((await create({ slug: 'wien-2' })).codes).toEqual([]);
    await app.ctx.db.location.deleteMany({ where: { slug: { in: ['wien', 'wien-2'] } } });
  });

  it.each([
    ['a zone that is not there', { timeZone: 'Europe/Atlantis' }, 'UNKNOWN_TIME_ZONE'],
    ['a mere offset', { timeZone: '+01:00' }, 'UNKNOWN_TIME_ZONE'],
    ['a zone in lower case', { timeZone: 'europe/berlin' }, 'UNKNOWN_TIME_ZONE'],
    ['a slug with blanks', { slug: 'foyer wien' }, 'INVALID_INPUT'],
    ['a slug in capitals', { slug: 'Wien' }, 'INVALID_INPUT'],
    ['no name', { name: '' }, 'INVALID_INPUT'],
    ['room for nobody', { capacity: 0 }, 'INVALID_INPUT'],
  ])('are rejected with %s', async (_, input, reason) => {
    expect((await create(input)).errors[0]?.extensions).toMatchObject({
      code: 'VALIDATION',
      reason,
    });
  });
});

// Node knows all of these; nothing could be booked where only Node knows the zone.
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
      `mutation ($input: CreateLocationInput!) { createLocation(input: $input) { id timeZone } }`,
      { input: { name: 'Far away', slug: `far-${v7()}`, timeZone } },
      writer,
    );
  const update = (id: string, timeZone: string) =>
    app.graphql(
      `mutation ($id: ID!, $timeZone: String!) {
        updateLocation(id: $id, input: { timeZone: $timeZone }) { timeZone } }`,
      { id, timeZone },
      writer,
    );

  it.each(HALF_KNOWN)('is never %s, by which nobody could reckon', async (timeZone) => {
    const refusal = {
      message: `timeZone: ${timeZone} is not a known IANA time zone. Use a name such as Europe/Berlin.`,
      extensions: { code: 'VALIDATION', reason: 'UNKNOWN_TIME_ZONE' },
    };
    expect((await create(timeZone)).errors).toEqual([expect.objectContaining(refusal)]);
    expect((await update(kreuzberg, timeZone)).errors).toEqual([expect.objectContaining(refusal)]);
  });

  it.each(ALIASES)('may be %s, and is kept by that name', async (timeZone) => {
    const { id } = (await create('Europe/Vienna')).data.createLocation;
    expect((await create(timeZone)).data.createLocation.timeZone).toBe(timeZone);
    expect((await update(id, timeZone)).data.updateLocation.timeZone).toBe(timeZone);
    await app.ctx.db.location.deleteMany({ where: { name: 'Far away' } });
  });
});

describe('resources', () => {
  const list = async (filter: object, page = '') => {
    const text = `query ($filter: ResourceFilter) { resources(filter: $filter${page}) {
      edges { node { ${RESOURCE} } } pageInfo { endCursor hasNextPage } } }`;
    const { data, codes } = await app.graphql(text, { filter }, reader);
    return { codes, nodes: data && nodesOf(data.resources), info: data?.resources.pageInfo };
  };

  it('return all fields', async () => {
    const { nodes } = await list({ locationId: kreuzberg, type: 'ROOM' });
    expect(nodes.map(({ slug }: { slug: string }) => slug)).toEqual([
      'atelier',
      'phone-booth',
      'saal',
      'spree',
    ]);
    expect(nodes[0]).toMatchObject({
      name: 'Atelier',
      type: 'ROOM',
      capacity: 12,
      location: { slug: 'kreuzberg', name: 'Foyer Kreuzberg' },
      pricePerHour: { amount: 3800, currency: 'EUR' },
      minMinutes: 60,
      maxMinutes: 480,
      gridMinutes: 15,
      bufferMinutes: 15,
      noticeMinutes: 0,
      daysAhead: 365,
      freeCancellationHours: 4,
      noShowMinutes: null,
      requiresApproval: false,
      amenities: ['screen', 'whiteboard', 'daylight'],
      active: true,
    });
  });

  it('can be filtered by location and type', async () => {
    expect((await list({ type: 'EQUIPMENT' })).nodes).toHaveLength(2);
    expect((await list({ locationId: v7() })).nodes).toEqual([]);
    expect((await list({ locationId: 'here' })).codes).toEqual(['VALIDATION']);
  });

  it('are paginated by name', async () => {
    const names: string[] = [];
    for (let after = ''; ; ) {
      const { nodes, info } = await list({}, `, first: 5${after && `, after: "${after}"`}`);
      names.push(...nodes.map(({ name }: { name: string }) => name));
      if (!info.hasNextPage) break;
      after = info.endCursor;
    }
    const rows = await app.ctx.db.resource.findMany({ orderBy: [{ name: 'asc' }, { id: 'asc' }] });
    expect(names).toEqual(rows.map(({ name }) => name));
    expect(names).toHaveLength(12);
  });

  const create = (input: object) =>
    app.graphql(
      `mutation ($input: CreateResourceInput!) { createResource(input: $input) { ${RESOURCE} } }`,
      {
        input: { name: 'Piano', slug: 'piano', type: 'EQUIPMENT', locationId: kreuzberg, ...input },
      },
      writer,
    );

  it('can be created with a unique slug and read back', async () => {
    const written = {
      capacity: 2,
      amenities: ['stool'],
      pricePerHour: { amount: 1250, currency: 'CHF' },
      minMinutes: 15,
      maxMinutes: 90,
      gridMinutes: 5,
      bufferMinutes: 5,
      noticeMinutes: 120,
      daysAhead: 90,
      freeCancellationHours: 24,
      noShowMinutes: 20,
      requiresApproval: true,
    };
    const { data } = await create(written);
    expect(data.createResource).toMatchObject({
      ...written,
      slug: 'piano',
      type: 'EQUIPMENT',
      active: true,
    });
    expect((await create({})).errors[0]?.extensions).toMatchObject({ reason: 'TAKEN' });
    const { createResource: plain } = (await create({ slug: 'plain' })).data;
    expect(plain).toMatchObject({
      minMinutes: 30,
      maxMinutes: 480,
      gridMinutes: 15,
      bufferMinutes: 0,
      noticeMinutes: 0,
      daysAhead: 365,
      freeCancellationHours: 0,
      noShowMinutes: null,
      requiresApproval: false,
      capacity: 1,
    });
    await app.ctx.db.resource.deleteMany({ where: { slug: { in: ['piano', 'plain'] } } });
  });

  it.each([
    ['a location that is not there', { locationId: v7() }, 'NOT_FOUND'],
    ['a longest time below the shortest', { minMinutes: 60, maxMinutes: 30 }, 'VALIDATION'],
    ['a negative price', { pricePerHour: { amount: -1, currency: 'EUR' } }, 'VALIDATION'],
    ['a currency that is none', { pricePerHour: { amount: 1, currency: 'euro' } }, 'VALIDATION'],
    ['a negative buffer', { bufferMinutes: -5 }, 'VALIDATION'],
    ['a longest time off the grid', { maxMinutes: 100 }, 'VALIDATION'],
    ['a shortest time off the grid', { gridMinutes: 60, minMinutes: 30 }, 'VALIDATION'],
    ['more than a week at a time', { maxMinutes: 10_095 }, 'VALIDATION'],
    ['a grid longer than a day', { gridMinutes: 2880 }, 'VALIDATION'],
    ['no grid at all', { gridMinutes: 0 }, 'VALIDATION'],
    ['a buffer longer than a day', { bufferMinutes: 1441 }, 'VALIDATION'],
    ['a horizon beyond ten years', { daysAhead: 3651 }, 'VALIDATION'],
    ['more notice than horizon', { daysAhead: 1, noticeMinutes: 1441 }, 'VALIDATION'],
    ['nobody ever in time', { noShowMinutes: 0 }, 'VALIDATION'],
    ['a type that is not there', { type: 'CAR' }, 'BAD_REQUEST'],
    ['half a minute', { minMinutes: 0.5 }, 'BAD_REQUEST'],
    ['a name with a NUL in it', { name: 'Pi\0ano' }, 'BAD_REQUEST'],
  ])('are rejected with %s', async (_, input, code) => {
    expect((await create(input)).codes).toEqual([code]);
  });

  it('cost at most 12,000,000 minor units an hour', async () => {
    const pricePerHour = { amount: 12_000_000, currency: 'IDR' };
    const { data } = await create({ slug: 'gold', pricePerHour });
    expect(data.createResource).toMatchObject({ pricePerHour });
    const { errors } = await create({ pricePerHour: { amount: 12_000_001, currency: 'IDR' } });
    expect(errors[0]?.message).toBe(
      'pricePerHour.amount: must be at most 12000000 minor units, such as cents',
    );
    await app.ctx.db.resource.deleteMany({ where: { slug: 'gold' } });
  });

  it('get default lengths that fit their slot interval', async () => {
    const { data } = await create({ slug: 'day-hall', gridMinutes: 720 });
    expect(data.createResource).toMatchObject({ minMinutes: 720, maxMinutes: 720 });
    await app.ctx.db.resource.deleteMany({ where: { slug: 'day-hall' } });
  });

  it('cannot be created with spaces:read', async () => {
    const input = { name: 'x', slug: 'x', type: 'DESK', locationId: kreuzberg };
    const { errors } = await app.graphql(
      'mutation ($input: CreateResourceInput!) { createResource(input: $input) { id } }',
      { input },
      reader,
    );
    expect(errors[0]?.extensions).toMatchObject({ reason: 'MISSING_SCOPE', scope: 'spaces:write' });
  });
});

describe('a location', () => {
  const update = (id: string, input: object, as = writer) =>
    app.graphql(
      `mutation ($id: ID!, $input: UpdateLocationInput!) { updateLocation(id: $id, input: $input) { ${LOCATION} } }`,
      { id, input },
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
      `mutation { createLocation(input: { name: "Graz", slug: "graz", timeZone: "Europe/Vienna", address: "Ring 1", capacity: 9 }) { id } }`,
      {},
      writer,
    );
    const { id } = data.createLocation;
    const changed = await update(id, { name: 'Foyer Graz', capacity: null, timeZone: null });
    expect(changed.data.updateLocation).toEqual({
      id,
      slug: 'graz',
      name: 'Foyer Graz',
      timeZone: 'Europe/Vienna',
      address: 'Ring 1',
      capacity: null,
    });
    const again = await update(id, { address: null, timeZone: 'Europe/Rome', capacity: 3 });
    expect(again.data.updateLocation).toMatchObject({
      name: 'Foyer Graz',
      address: null,
      timeZone: 'Europe/Rome',
      capacity: 3,
    });
    expect((await read(id)).data.location).toEqual(again.data.updateLocation);
    await update(id, { lookupNeedsKiosk: true });
    await update(id, { lookupNeedsKiosk: null });
    const { data: told } = await app.graphql(
      `{ location(id: "${id}") { lookupNames lookupNeedsKiosk } }`,
      {},
      reader,
    );
    expect(told.location).toEqual({ lookupNames: true, lookupNeedsKiosk: true });
    await app.ctx.db.location.delete({ where: { id } });
  });

  it.each([
    ['a zone that is not there', { timeZone: 'Moon/Base' }, 'VALIDATION'],
    ['a blank name', { name: ' ' }, 'VALIDATION'],
    ['room for nobody', { capacity: 0 }, 'VALIDATION'],
    ['another slug', { slug: 'x' }, 'BAD_REQUEST'],
  ])('rejects %s', async (_, input, code) => {
    expect((await update(kreuzberg, input)).codes).toEqual([code]);
  });

  it('requires spaces:write and an existing id to update', async () => {
    expect((await update(v7(), { name: 'x' })).codes).toEqual(['NOT_FOUND']);
    expect((await update(kreuzberg, { name: 'x' }, reader)).codes).toEqual(['FORBIDDEN']);
  });
});

describe('a resource', () => {
  let id: string;
  const update = (input: object, of = id) =>
    app.graphql(
      `mutation ($id: ID!, $input: UpdateResourceInput!) { updateResource(id: $id, input: $input) { ${RESOURCE} } }`,
      { id: of, input },
      writer,
    );
  const read = async (of = id) =>
    app.graphql(`query ($id: ID!) { resource(id: $id) { ${RESOURCE} } }`, { id: of }, reader);

  beforeEach(async () => {
    const row = await app.ctx.db.resource.create({
      data: { locationId: kreuzberg, slug: 'harp', name: 'Harp', type: 'equipment' },
    });
    id = row.id;
  });
  afterEach(() => app.ctx.db.resource.delete({ where: { id } }));

  it('is found by its id only', async () => {
    expect((await read()).data.resource).toMatchObject({ slug: 'harp', active: true });
    for (const other of [v7(), 'harp']) expect((await read(other)).codes).toEqual(['NOT_FOUND']);
  });

  it('updates given fields and rules', async () => {
    const before = (await read()).data.resource;
    const rules = {
      name: 'Great harp',
      type: 'ROOM',
      pricePerHour: { amount: 700, currency: 'CHF' },
      minMinutes: 60,
      maxMinutes: 600,
      gridMinutes: 60,
      bufferMinutes: 10,
      noticeMinutes: 30,
      daysAhead: 14,
      freeCancellationHours: 48,
      noShowMinutes: 15,
      requiresApproval: true,
      capacity: 2,
      amenities: ['stool'],
      active: false,
    };
    expect((await update(rules)).data.updateResource).toEqual({ ...before, ...rules });
    const back = await update({ noShowMinutes: null, active: true, daysAhead: null });
    expect(back.data.updateResource).toEqual({
      ...before,
      ...rules,
      noShowMinutes: null,
      active: true,
    });
    expect((await read()).data.resource).toEqual(back.data.updateResource);
    expect((await update({})).data.updateResource).toEqual(back.data.updateResource);
  });

  it.each([
    ['a longest time below the stored shortest', { maxMinutes: 15 }, 'MAX_BELOW_MIN'],
    ['a grid that the stored lengths are off', { gridMinutes: 60 }, 'NOT_ON_GRID'],
    ['notice beyond the stored horizon', { noticeMinutes: 365 * 1440 + 1 }, 'INVALID_INPUT'],
    ['a horizon below its notice', { noticeMinutes: 3000, daysAhead: 2 }, 'NOTICE_BEYOND_HORIZON'],
    ['more than a week', { maxMinutes: 10_095 }, 'INVALID_INPUT'],
    [
      'a price beyond all measure',
      { pricePerHour: { amount: 12_000_001, currency: 'EUR' } },
      'INVALID_INPUT',
    ],
  ])('rejects %s', async (_, input, reason) => {
    const { errors } = await update(input);
    expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION', reason });
    expect((await read()).data.resource).toMatchObject({ minMinutes: 30, maxMinutes: 480 });
  });

  it('stays consistent under concurrent updates', async () => {
    const answers = await Promise.all([
      update({ minMinutes: 240 }),
      update({ maxMinutes: 120 }),
      update({ gridMinutes: 60, minMinutes: 60 }),
      update({ minMinutes: 45 }),
    ]);
    for (const { codes } of answers) expect(['', 'VALIDATION']).toContain(codes.join());
    const { minMinutes, maxMinutes, gridMinutes } = (await read()).data.resource;
    expect(minMinutes).toBeLessThanOrEqual(maxMinutes);
    expect([minMinutes % gridMinutes, maxMinutes % gridMinutes]).toEqual([0, 0]);
  });

  it('cannot change its location or slug', async () => {
    for (const input of [{ slug: 'x' }, { locationId: kreuzberg }])
      expect((await update(input)).codes).toEqual(['BAD_REQUEST']);
    expect((await update({ name: 'x' }, v7())).codes).toEqual(['NOT_FOUND']);
  });
});
