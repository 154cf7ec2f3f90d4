import { v7 } from 'uuid';
import { type Credential, startApp, type TestApp } from './support/app.ts';

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
  pricePerHour { amount currency } minMinutes maxMinutes bufferMinutes amenities active`;

const nodesOf = (connection: { edges: { node: { slug: string } }[] }) =>
  connection.edges.map(({ node }) => node);

describe('locations', () => {
  it('are listed by name, each with its zone', async () => {
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

  it('can be added, once by each slug', async () => {
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
    ['a slug with blanks', { slug: 'foyer wien' }, 'INVALID_INPUT'],
    ['a slug in capitals', { slug: 'Wien' }, 'INVALID_INPUT'],
    ['no name', { name: '' }, 'INVALID_INPUT'],
    ['room for nobody', { capacity: 0 }, 'INVALID_INPUT'],
  ])('are refused with %s', async (_, input, reason) => {
    expect((await create(input)).errors[0]?.extensions).toMatchObject({
      code: 'VALIDATION',
      reason,
    });
  });
});

describe('resources', () => {
  const list = async (filter: object, page = '') => {
    const text = `query ($filter: ResourceFilter) { resources(filter: $filter${page}) {
      edges { node { ${RESOURCE} } } pageInfo { endCursor hasNextPage } } }`;
    const { data, codes } = await app.graphql(text, { filter }, reader);
    return { codes, nodes: data && nodesOf(data.resources), info: data?.resources.pageInfo };
  };

  it('tell all there is to know of them', async () => {
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
      bufferMinutes: 15,
      amenities: ['screen', 'whiteboard', 'daylight'],
      active: true,
    });
  });

  it('are found by place and by type, or not at all', async () => {
    expect((await list({ type: 'EQUIPMENT' })).nodes).toHaveLength(2);
    expect((await list({ locationId: v7() })).nodes).toEqual([]);
    expect((await list({ locationId: 'here' })).codes).toEqual(['VALIDATION']);
  });

  it('come page by page by name, each once', async () => {
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

  it('can be added, once by each slug, and read back as they were written', async () => {
    const written = {
      capacity: 2,
      amenities: ['stool'],
      pricePerHour: { amount: 1250, currency: 'CHF' },
      minMinutes: 15,
      maxMinutes: 90,
      bufferMinutes: 5,
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
    expect(plain).toMatchObject({ minMinutes: 30, maxMinutes: 480, bufferMinutes: 0, capacity: 1 });
    await app.ctx.db.resource.deleteMany({ where: { slug: { in: ['piano', 'plain'] } } });
  });

  it.each([
    ['a location that is not there', { locationId: v7() }, 'NOT_FOUND'],
    ['a longest time below the shortest', { minMinutes: 60, maxMinutes: 30 }, 'VALIDATION'],
    ['a negative price', { pricePerHour: { amount: -1, currency: 'EUR' } }, 'VALIDATION'],
    ['a currency that is none', { pricePerHour: { amount: 1, currency: 'euro' } }, 'VALIDATION'],
    ['a negative buffer', { bufferMinutes: -5 }, 'VALIDATION'],
    ['a type that is not there', { type: 'CAR' }, 'BAD_REQUEST'],
    ['half a minute', { minMinutes: 0.5 }, 'BAD_REQUEST'],
    ['a name with a NUL in it', { name: 'Pi\0ano' }, 'BAD_REQUEST'],
  ])('are refused with %s', async (_, input, code) => {
    expect((await create(input)).codes).toEqual([code]);
  });

  it('cannot be added by who may only read', async () => {
    const input = { name: 'x', slug: 'x', type: 'DESK', locationId: kreuzberg };
    const { errors } = await app.graphql(
      'mutation ($input: CreateResourceInput!) { createResource(input: $input) { id } }',
      { input },
      reader,
    );
    expect(errors[0]?.extensions).toMatchObject({ reason: 'MISSING_SCOPE', scope: 'spaces:write' });
  });
});
