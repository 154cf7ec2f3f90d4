import { v7 } from 'uuid';
import type { Credential } from '../../support/clients/api.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let writer: Credential;
let kreuzberg: string;

beforeAll(async () => {
  app = await startApp();
  writer = { token: await app.token('spaces:read', 'spaces:write') };
  const { id } = await app.ctx.db.location.findUniqueOrThrow({ where: { slug: 'kreuzberg' } });
  kreuzberg = id;
});
afterAll(() => app.stop());

describe('several resources', () => {
  const send = async (mutation: 'createResources' | 'updateResources', input: object) => {
    const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
    const { data, errors } = await app.graphql(
      `mutation ($input: ${type}!) { ${mutation}(input: $input) { resources {
        id slug name area type capacity maxMinutes active updatedAt pricePerHour { amount currency } } } }`,
      { input },
      writer,
    );
    const resources = data?.[mutation]?.resources as { id: string; updatedAt: string }[];
    return { resources, error: errors[0] };
  };
  const DESKS = { namePrefix: 'Bench', type: 'DESK', count: 3 };
  const create = (input: object = {}) =>
    send('createResources', { locationId: kreuzberg, ...DESKS, ...input });
  const readAll = () =>
    app.ctx.db.resource.findMany({
      where: { slug: { startsWith: 'bench-' } },
      orderBy: { slug: 'asc' },
    });
  const toVersions = (rows: { id: string; updatedAt: string }[]) =>
    rows.map(({ id, updatedAt }) => ({ id, ifUpdatedAt: updatedAt }));

  afterEach(() => app.ctx.db.resource.deleteMany({ where: { slug: { startsWith: 'bench-' } } }));

  it('are created with numbers in their names and slugs, and recorded', async () => {
    const { resources } = await create({ firstNumber: 98, area: 'Hall' });
    expect(resources).toMatchObject([
      { name: 'Bench 098', slug: 'bench-098', area: 'Hall', maxMinutes: 1440, capacity: 1 },
      { name: 'Bench 099', slug: 'bench-099' },
      { name: 'Bench 100', slug: 'bench-100' },
    ]);
    const ids = resources.map(({ id }) => id);
    const recorded = await app.ctx.db.change.count({
      where: { type: 'resource.created', subjectId: { in: ids } },
    });
    expect(recorded).toBe(3);
    expect((await create()).resources).toMatchObject([
      { name: 'Bench 01' },
      { name: 'Bench 02' },
      { name: 'Bench 03' },
    ]);
    const single = await create({ count: 1, slugPrefix: 'bench-single' });
    expect(single.resources).toMatchObject([{ name: 'Bench', slug: 'bench-single' }]);
  });

  it.each([
    ['slugs that exist', { count: 60 }, 'TAKEN', 'bench-02 and bench-03 already exist'],
    ['more than 200', { count: 201 }, 'INVALID_INPUT', 'count: must be at most 200'],
    ['a name without a slug', { namePrefix: '!!' }, 'INVALID_INPUT', 'slugPrefix: is missing'],
    ['contradictory rules', { minMinutes: 60, maxMinutes: 30 }, 'MAX_BELOW_MIN', 'maxMinutes'],
  ])('are all rejected with %s', async (_, input, reason, message) => {
    await create({ firstNumber: 2, count: 2 });
    const { error } = await create(input);
    expect(error?.extensions).toMatchObject({ reason });
    expect(error?.message).toContain(message);
    expect(await readAll()).toHaveLength(2);
  });

  it('are changed together, only in the given fields', async () => {
    const { resources } = await create({ pricePerHour: { amount: 500, currency: 'EUR' } });
    const [, ...some] = resources;
    const before = await readAll();
    const { resources: changed } = await send('updateResources', {
      resources: toVersions(some.toReversed()),
      area: 'Loft',
      active: false,
    });
    expect(changed).toMatchObject([
      { name: 'Bench 03', area: 'Loft' },
      { name: 'Bench 02', area: 'Loft' },
    ]);
    const [untouched, ...after] = await readAll();
    expect(untouched).toEqual(before[0]);
    expect(after).toEqual(
      before.slice(1).map((row) => ({
        ...row,
        area: 'Loft',
        active: false,
        updatedAt: expect.any(Date),
      })),
    );
  });

  it('stay as they are if someone else has changed one of them, which is named', async () => {
    const { resources } = await create();
    await app.ctx.db.resource.update({
      where: { id: resources[1]?.id ?? '' },
      data: { area: 'Moved', updatedAt: new Date(0) },
    });
    const change = { area: 'Loft', resources: toVersions(resources) };
    const { error } = await send('updateResources', change);
    expect(error?.extensions).toMatchObject({ reason: 'CHANGED_MEANWHILE' });
    expect(error?.message).toContain('changed Bench 02 after');
    expect((await readAll()).map(({ area }) => area)).toEqual([null, 'Moved', null]);
    // Negative control: without versions, the same change is made.
    const ids = resources.map(({ id }) => ({ id }));
    expect((await send('updateResources', { ...change, resources: ids })).error).toBeUndefined();
    expect((await readAll()).map(({ area }) => area)).toEqual(['Loft', 'Loft', 'Loft']);
  });

  it('stay as they are if one of them is unknown or would contradict itself', async () => {
    const { resources } = await create();
    const unknown = { id: v7() };
    const first = await send('updateResources', {
      resources: [...toVersions(resources), unknown],
      area: 'Loft',
    });
    expect(first.error?.extensions).toMatchObject({ code: 'NOT_FOUND' });
    const ids = resources.map(({ id }) => ({ id }));
    const second = await send('updateResources', {
      resources: ids,
      minMinutes: 2880,
      area: 'Loft',
    });
    expect(second.error?.message).toMatch(/^Bench 01: maxMinutes must be at least minMinutes/);
    expect((await readAll()).map(({ area }) => area)).toEqual([null, null, null]);
  });
});
