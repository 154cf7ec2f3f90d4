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

const LOCATION = 'id slug name timeZone address capacity';
const RESOURCE = `id slug name type capacity location { ${LOCATION} }
  pricePerHour { amount currency } minMinutes maxMinutes gridMinutes bufferMinutes noticeMinutes
  daysAhead freeCancellationHours noShowMinutes requiresApproval amenities active`;

const toNodes = (connection: { edges: { node: { slug: string } }[] }) =>
  connection.edges.map(({ node }) => node);

describe('resources', () => {
  const list = async (filter: object, page = '') => {
    const text = `query ($filter: ResourceFilter) { resources(filter: $filter${page}) {
      edges { node { ${RESOURCE} } } pageInfo { endCursor hasNextPage } } }`;
    const { data, codes } = await app.graphql(text, { filter }, reader);
    return { codes, nodes: data && toNodes(data.resources), info: data?.resources.pageInfo };
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
      `mutation ($input: CreateResourceInput!) { createResource(input: $input) { resource { ${RESOURCE} } } }`,
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
    expect(data.createResource.resource).toMatchObject({
      ...written,
      slug: 'piano',
      type: 'EQUIPMENT',
      active: true,
    });
    expect((await create({})).errors[0]?.extensions).toMatchObject({ reason: 'TAKEN' });
    const { resource: plain } = (await create({ slug: 'plain' })).data.createResource;
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
    ['an unknown location', { locationId: v7() }, 'NOT_FOUND'],
    ['a longest time below the shortest', { minMinutes: 60, maxMinutes: 30 }, 'VALIDATION'],
    ['a negative price', { pricePerHour: { amount: -1, currency: 'EUR' } }, 'VALIDATION'],
    ['an invalid currency', { pricePerHour: { amount: 1, currency: 'euro' } }, 'VALIDATION'],
    ['a negative buffer', { bufferMinutes: -5 }, 'VALIDATION'],
    ['a longest time off the grid', { maxMinutes: 100 }, 'VALIDATION'],
    ['a shortest time off the grid', { gridMinutes: 60, minMinutes: 30 }, 'VALIDATION'],
    ['more than a week at a time', { maxMinutes: 10_095 }, 'VALIDATION'],
    ['a grid longer than a day', { gridMinutes: 2880 }, 'VALIDATION'],
    ['no grid at all', { gridMinutes: 0 }, 'VALIDATION'],
    ['a buffer longer than a day', { bufferMinutes: 1441 }, 'VALIDATION'],
    ['a horizon beyond ten years', { daysAhead: 3651 }, 'VALIDATION'],
    ['more notice than horizon', { daysAhead: 1, noticeMinutes: 1441 }, 'VALIDATION'],
    ['a no-show period of zero', { noShowMinutes: 0 }, 'VALIDATION'],
    ['an unknown type', { type: 'CAR' }, 'BAD_REQUEST'],
    ['half a minute', { minMinutes: 0.5 }, 'BAD_REQUEST'],
    ['an invisible character in its name', { name: 'Pi\u202eano' }, 'VALIDATION'],
  ])('are rejected with %s', async (_, input, code) => {
    expect((await create(input)).codes).toEqual([code]);
  });

  it('cost at most 12,000,000 minor units an hour', async () => {
    const pricePerHour = { amount: 12_000_000, currency: 'IDR' };
    const { data } = await create({ slug: 'gold', pricePerHour });
    expect(data.createResource.resource).toMatchObject({ pricePerHour });
    const { errors } = await create({ pricePerHour: { amount: 12_000_001, currency: 'IDR' } });
    expect(errors[0]?.message).toBe(
      'pricePerHour.amount: must be at most 12000000 minor units, such as cents',
    );
    await app.ctx.db.resource.deleteMany({ where: { slug: 'gold' } });
  });

  it('get default lengths that fit their slot interval', async () => {
    const { data } = await create({ slug: 'day-hall', gridMinutes: 720 });
    expect(data.createResource.resource).toMatchObject({ minMinutes: 720, maxMinutes: 720 });
    await app.ctx.db.resource.deleteMany({ where: { slug: 'day-hall' } });
  });

  it('of type desk can be booked for a day', async () => {
    const { data } = await create({ slug: 'day-desk', type: 'DESK' });
    expect(data.createResource.resource).toMatchObject({ minMinutes: 30, maxMinutes: 1440 });
    await app.ctx.db.resource.deleteMany({ where: { slug: 'day-desk' } });
  });

  it('can be filtered by area, in both APIs and in availability', async () => {
    await create({ slug: 'lyre', name: 'Lyre', area: ' Attic ' });
    const area = 'Attic';
    expect((await list({ area })).nodes.map(({ slug }: { slug: string }) => slug)).toEqual([
      'lyre',
    ]);
    const { body } = await app.rest('/resources?limit=100', reader);
    const { resources } = body.data as { resources: { area: string | null }[] };
    const inRest = resources.filter((row) => row.area === area);
    expect(inRest).toHaveLength(1);
    const { data } = await app.graphql(
      '{ availability(area: "Attic") { resource { name area } } }',
      {},
      reader,
    );
    expect(data.availability).toEqual([{ resource: { name: 'Lyre', area } }]);
    await app.ctx.db.resource.deleteMany({ where: { slug: 'lyre' } });
  });

  it('cannot be created with spaces:read', async () => {
    const input = { name: 'x', slug: 'x', type: 'DESK', locationId: kreuzberg };
    const { errors } = await app.graphql(
      'mutation ($input: CreateResourceInput!) { createResource(input: $input) { resource { id } } }',
      { input },
      reader,
    );
    expect(errors[0]?.extensions).toMatchObject({ reason: 'MISSING_SCOPE', scope: 'spaces:write' });
  });
});

describe('a resource', () => {
  let id: string;
  const update = (input: object, of = id) =>
    app.graphql(
      `mutation ($input: UpdateResourceInput!) { updateResource(input: $input) { resource { ${RESOURCE} } } }`,
      { input: { id: of, ...input } },
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
    expect((await update(rules)).data.updateResource.resource).toEqual({ ...before, ...rules });
    const back = await update({ noShowMinutes: null, active: true, daysAhead: null });
    expect(back.data.updateResource.resource).toEqual({
      ...before,
      ...rules,
      noShowMinutes: null,
      active: true,
    });
    expect((await read()).data.resource).toEqual(back.data.updateResource.resource);
    expect((await update({})).data.updateResource.resource).toEqual(
      back.data.updateResource.resource,
    );
  });

  it.each([
    ['a longest time below the stored shortest', { maxMinutes: 15 }, 'MAX_BELOW_MIN'],
    ['a grid that the stored lengths are off', { gridMinutes: 60 }, 'NOT_ON_GRID'],
    ['notice beyond the stored horizon', { noticeMinutes: 365 * 1440 + 1 }, 'INVALID_INPUT'],
    ['a horizon below its notice', { noticeMinutes: 3000, daysAhead: 2 }, 'NOTICE_BEYOND_HORIZON'],
    ['more than a week', { maxMinutes: 10_095 }, 'INVALID_INPUT'],
    [
      'too high a price',
      { pricePerHour: { amount: 12_000_001, currency: 'EUR' } },
      'INVALID_INPUT',
    ],
  ])('rejects %s', async (_, input, reason) => {
    const { errors } = await update(input);
    expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION', reason });
    expect((await read()).data.resource).toMatchObject({ minMinutes: 30, maxMinutes: 480 });
  });

  it('stays consistent under concurrent updates', async () => {
    const responses = await Promise.all([
      update({ minMinutes: 240 }),
      update({ maxMinutes: 120 }),
      update({ gridMinutes: 60, minMinutes: 60 }),
      update({ minMinutes: 45 }),
    ]);
    for (const { codes } of responses) expect(['', 'VALIDATION']).toContain(codes.join());
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
