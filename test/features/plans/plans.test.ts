import { v7 } from 'uuid';
import type { Credential } from '../../support/clients/api.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let reader: Credential;
let writer: Credential;
let names = 0;

beforeAll(async () => {
  app = await startApp();
  reader = { token: await app.token('plans:read') };
  writer = { token: await app.token('plans:write') };
});
afterAll(() => app.stop());

const PLAN = `id name price { amount currency } interval active
  benefits { resourceType includedHours discountPercent limitHours }`;
const price = { amount: 12_000, currency: 'EUR' };

const newName = () => {
  names += 1;
  return `Plan no. ${names}`;
};
const create = (input: object = {}, as = writer) =>
  app.graphql(
    `mutation ($input: CreatePlanInput!) { createPlan(input: $input) { plan { ${PLAN} } } }`,
    { input: { name: newName(), price, ...input } },
    as,
  );
const update = (id: string, input: object) =>
  app.graphql(
    `mutation ($input: UpdatePlanInput!) { updatePlan(input: $input) { plan { ${PLAN} } } }`,
    { input: { id, ...input } },
    writer,
  );
const read = (id: string, as = reader) =>
  app.graphql(`query ($id: ID!) { plan(id: $id) { ${PLAN} } }`, { id }, as);

const ROOMS = { resourceType: 'ROOM', includedHours: 5, discountPercent: 20, limitHours: 40 };
const DESKS = { resourceType: 'DESK', includedHours: 0, discountPercent: 100, limitHours: null };

describe('a plan', () => {
  it('is billed monthly by default and reads back', async () => {
    const { data } = await create({ name: 'Evenings', benefits: [DESKS, ROOMS] });
    const plan = data.createPlan.plan;
    expect(plan).toEqual({
      id: plan.id,
      name: 'Evenings',
      price,
      interval: 'MONTH',
      active: true,
      benefits: [ROOMS, DESKS],
    });
    expect((await read(plan.id)).data.plan).toEqual(plan);
    const yearly = await create({ interval: 'YEAR', benefits: [{ resourceType: 'EQUIPMENT' }] });
    expect(yearly.data.createPlan.plan).toMatchObject({
      interval: 'YEAR',
      benefits: [
        { resourceType: 'EQUIPMENT', includedHours: 0, discountPercent: 0, limitHours: null },
      ],
    });
  });

  it.each([
    ['two benefits for one type', { benefits: [ROOMS, DESKS, ROOMS] }, 'BENEFIT_TWICE'],
    [
      'a limit below what is included',
      { benefits: [{ ...ROOMS, limitHours: 4 }] },
      'LIMIT_BELOW_INCLUDED',
    ],
    [
      'a discount over 100 percent',
      { benefits: [{ ...ROOMS, discountPercent: 101 }] },
      'INVALID_INPUT',
    ],
    ['negative hours', { benefits: [{ ...ROOMS, includedHours: -1 }] }, 'INVALID_INPUT'],
    ['more hours than a month has', { benefits: [{ ...ROOMS, limitHours: 745 }] }, 'INVALID_INPUT'],
    ['a negative price', { price: { amount: -1, currency: 'EUR' } }, 'INVALID_INPUT'],
    ['too high a price', { price: { amount: 2_000_000_001, currency: 'IDR' } }, 'INVALID_INPUT'],
    ['a blank name', { name: ' ' }, 'INVALID_INPUT'],
  ])('is rejected with %s', async (_, input, reason) => {
    expect((await create(input)).errors[0]?.extensions).toMatchObject({
      code: 'VALIDATION',
      reason,
    });
    const { id } = (await create({ benefits: [DESKS] })).data.createPlan.plan;
    const before = (await read(id)).data.plan;
    expect((await update(id, input)).errors[0]?.extensions).toMatchObject({
      code: 'VALIDATION',
      reason,
    });
    expect((await read(id)).data.plan).toEqual(before);
  });

  it('costs at most 2,000,000,000 minor units', async () => {
    const price = { amount: 2_000_000_000, currency: 'IDR' };
    expect((await create({ price })).data.createPlan.plan).toMatchObject({ price });
    const { errors } = await create({ price: { ...price, amount: price.amount + 1 } });
    expect(errors[0]?.message).toBe(
      'price.amount: must be at most 2000000000 minor units, such as cents',
    );
  });

  it('has a unique name', async () => {
    const { name } = (await create()).data.createPlan.plan;
    const conflict = { code: 'CONFLICT', reason: 'TAKEN' };
    expect((await create({ name })).errors[0]?.extensions).toMatchObject(conflict);
    const { id } = (await create()).data.createPlan.plan;
    const rejected = await update(id, { name, benefits: [ROOMS] });
    expect(rejected.errors[0]?.extensions).toMatchObject(conflict);
    expect((await read(id)).data.plan.benefits).toEqual([]);
  });

  it('updates given fields and replaces benefits', async () => {
    const { id, name } = (await create({ benefits: [ROOMS] })).data.createPlan.plan;
    const changed = await update(id, { price: { amount: 1, currency: 'CHF' }, active: false });
    expect(changed.data.updatePlan.plan).toEqual({
      id,
      name,
      price: { amount: 1, currency: 'CHF' },
      interval: 'MONTH',
      active: false,
      benefits: [ROOMS],
    });
    const updated = await update(id, { benefits: [DESKS], interval: 'QUARTER', active: null });
    expect(updated.data.updatePlan.plan).toMatchObject({
      interval: 'QUARTER',
      active: false,
      benefits: [DESKS],
    });
    expect((await update(id, { benefits: [] })).data.updatePlan.plan.benefits).toEqual([]);
  });

  it('does not mix the benefits of concurrent updates', async () => {
    const { id } = (await create({ benefits: [ROOMS] })).data.createPlan.plan;
    const choices = [1, 2, 3, 4].map((includedHours) =>
      [ROOMS, DESKS].map((benefit) => ({ ...benefit, includedHours, limitHours: null })),
    );
    const responses = await Promise.all(choices.map((benefits) => update(id, { benefits })));
    expect(responses.map(({ codes }) => codes)).toEqual([[], [], [], []]);
    expect(choices).toContainEqual((await read(id)).data.plan.benefits);
  });

  it('returns NOT_FOUND for an unknown id', async () => {
    for (const id of [v7(), 'x']) {
      expect((await read(id)).codes).toEqual(['NOT_FOUND']);
      expect((await update(id, { active: true })).codes).toEqual(['NOT_FOUND']);
    }
  });

  it('requires the scopes to read and write', async () => {
    const { id } = (await create()).data.createPlan.plan;
    expect((await read(id, writer)).codes).toEqual(['FORBIDDEN']);
    expect((await create({}, reader)).codes).toEqual(['FORBIDDEN']);
  });
});

describe('the list of plans', () => {
  it('is paginated by name and includes inactive plans', async () => {
    const { id } = (await create()).data.createPlan.plan;
    await update(id, { active: false });
    const found: string[] = [];
    for (let after: string | null = null; ; ) {
      const { data } = await app.graphql(
        `query ($after: String) { plans(first: 3, after: $after) {
          edges { node { name } } pageInfo { endCursor hasNextPage } } }`,
        { after },
        reader,
      );
      found.push(...data.plans.edges.map(({ node }: { node: { name: string } }) => node.name));
      if (!data.plans.pageInfo.hasNextPage) break;
      after = data.plans.pageInfo.endCursor;
    }
    const rows = await app.ctx.db.plan.findMany({ orderBy: [{ name: 'asc' }, { id: 'asc' }] });
    expect(found).toEqual(rows.map(({ name }) => name));
    expect(found).toEqual(expect.arrayContaining(['Nomad', 'Resident', 'Studio']));
  });
});
