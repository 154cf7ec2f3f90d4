import fc from 'fast-check';
import { v7 } from 'uuid';
import { applyDiscount } from '../../../src/features/discounts/service.ts';
import type { Credential } from '../../support/clients/api.ts';
import { makeMember } from '../../support/factories/people.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../../support/harness/property-runs.ts';

let app: TestApp;
let writer: Credential;
let codes = 0;

beforeAll(async () => {
  app = await startApp();
  writer = { token: await app.token('events:write', 'orders:read') };
});
afterAll(() => app.stop());

const CODE = `id code eventId percent amount { amount currency } maxUses uses startsAt endsAt active`;

const newCode = () => {
  codes += 1;
  return `SPRING-${codes}`;
};
const create = (input: object, as = writer) =>
  app.graphql(
    `mutation ($input: CreateDiscountCodeInput!) { createDiscountCode(input: $input) { discountCode { ${CODE} } } }`,
    { input },
    as,
  );
const update = (id: string, input: object) =>
  app.graphql(
    `mutation ($input: UpdateDiscountCodeInput!) { updateDiscountCode(input: $input) { discountCode { ${CODE} } } }`,
    { input: { id, ...input } },
    writer,
  );
const remove = (id: string) =>
  app.graphql(
    `mutation ($id: ID!) { deleteDiscountCode(input: { id: $id }) { deletedDiscountCodeId } }`,
    { id },
    writer,
  );
const list = (filter: object = {}, as = writer) =>
  app.graphql(
    `query ($filter: DiscountCodeFilter) { discountCodes(filter: $filter, first: 100) { edges { node { ${CODE} } } } }`,
    { filter },
    as,
  );
const listed = async (filter: object = {}) =>
  (await list(filter)).data.discountCodes.edges.map(({ node }: { node: object }) => node);
const createEvent = () => app.ctx.db.event.findFirstOrThrow();

describe('a discount code', () => {
  it('returns all its fields, with the code in capitals', async () => {
    const { id: eventId } = await createEvent();
    const input = {
      eventId,
      percent: 15,
      maxUses: 20,
      startsAt: '2026-03-01T00:00:00.000Z',
      endsAt: '2026-04-01T00:00:00.000Z',
    };
    const { data } = await create({ ...input, code: '  early-bird ' });
    const code = data.createDiscountCode.discountCode;
    expect(code).toEqual({
      ...input,
      id: code.id,
      code: 'EARLY-BIRD',
      amount: null,
      uses: 0,
      active: true,
    });
    expect(await listed({ eventId })).toContainEqual(code);
  });

  it('is generated and valid for everything by default', async () => {
    const amount = { amount: 500, currency: 'EUR' };
    const created = [await create({ amount }), await create({ amount })].map(
      ({ data }) => data.createDiscountCode.discountCode,
    );
    expect(created[0]).toMatchObject({
      code: expect.stringMatching(/^[A-Z0-9]{10}$/),
      amount,
      percent: null,
      eventId: null,
      maxUses: null,
    });
    expect(created[0].code).not.toBe(created[1].code);
  });

  it.each([
    ['neither a percentage nor an amount', {}],
    ['both', { percent: 10, amount: { amount: 1, currency: 'EUR' } }],
    ['nothing off', { percent: 0 }],
    ['more than 100 percent', { percent: 101 }],
    ['an amount of zero', { amount: { amount: 0, currency: 'EUR' } }],
    ['no uses', { percent: 10, maxUses: 0 }],
    ['a code that is too short', { percent: 10, code: ' AB ' }],
    ['a code that is too long', { percent: 10, code: 'A'.repeat(41) }],
    ['a code with a space within', { percent: 10, code: 'EARLY BIRD' }],
    ['a code with other letters', { percent: 10, code: 'FRÜH' }],
  ])('is rejected with %s', async (_, input) => {
    expect((await create({ code: newCode(), ...input })).errors[0]?.extensions).toMatchObject({
      code: 'VALIDATION',
      reason: 'INVALID_INPUT',
    });
  });

  it('must be unique in any case', async () => {
    const code = newCode();
    await create({ code, percent: 10 });
    expect(
      (await create({ code: code.toLowerCase(), percent: 10 })).errors[0]?.extensions,
    ).toMatchObject({ code: 'CONFLICT', reason: 'TAKEN' });
  });

  it('rejects an end before its start', async () => {
    const [early, late] = ['2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'];
    const outcome = { code: 'VALIDATION', reason: 'ENDS_BEFORE_START' };
    for (const endsAt of [early, late]) {
      const { errors } = await create({ percent: 10, startsAt: late, endsAt });
      expect(errors[0]?.extensions).toMatchObject(outcome);
    }
    const { id } = (await create({ percent: 10, startsAt: late })).data.createDiscountCode
      .discountCode;
    expect((await update(id, { endsAt: early })).errors[0]?.extensions).toMatchObject(outcome);
    const both = await update(id, { startsAt: null, endsAt: early });
    expect(both.data.updateDiscountCode.discountCode).toMatchObject({
      startsAt: null,
      endsAt: '2026-03-01T00:00:00.000Z',
    });
  });

  it('rejects an unknown event', async () => {
    expect((await create({ eventId: v7(), percent: 10 })).codes).toEqual(['NOT_FOUND']);
  });

  it('keeps omitted fields, and rejects a limit below its uses', async () => {
    const { id, code } = (await create({ percent: 10, maxUses: 10 })).data.createDiscountCode
      .discountCode;
    await app.ctx.db.discountCode.update({ where: { id }, data: { uses: 4 } });
    const rejected = await update(id, { maxUses: 3, active: false });
    expect(rejected.errors[0]?.extensions).toMatchObject({
      code: 'CONFLICT',
      reason: 'USES_ABOVE_LIMIT',
      uses: 4,
    });
    expect((await update(id, {})).data.updateDiscountCode.discountCode).toMatchObject({
      maxUses: 10,
      active: true,
    });
    expect(
      (await update(id, { maxUses: 4, active: false })).data.updateDiscountCode.discountCode,
    ).toMatchObject({ code, percent: 10, maxUses: 4, uses: 4, active: false });
    expect(
      (await update(id, { maxUses: null, active: null })).data.updateDiscountCode.discountCode,
    ).toMatchObject({ maxUses: null, active: false });
  });

  it('can be changed together with the limit that late payments have exceeded', async () => {
    const { id } = (await create({ percent: 10, maxUses: 3 })).data.createDiscountCode.discountCode;
    const where = { id };
    await app.ctx.db.discountCode.update({ where, data: { uses: 4, lateUses: 1 } });
    const { data } = await update(id, { maxUses: 3, active: false });
    expect(data.updateDiscountCode.discountCode).toMatchObject({
      maxUses: 3,
      uses: 4,
      active: false,
    });
    const { lateUses } = await app.ctx.db.discountCode.findUniqueOrThrow({ where });
    expect(lateUses).toBe(1);
    expect((await update(id, { maxUses: 2 })).errors[0]?.extensions.reason).toBe(
      'USES_ABOVE_LIMIT',
    );
  });

  it('never exceeds its limit when uses and limit change concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = (await create({ percent: 10, maxUses: 10 })).data.createDiscountCode
        .discountCode;
      const { db } = app.ctx;
      const uses = Array.from(
        { length: 6 },
        () => db.$executeRaw`UPDATE discount_codes SET uses = uses + 1
          WHERE id = ${id}::uuid AND coalesce(uses < max_uses, true)`,
      );
      const [outcome] = await Promise.all([update(id, { maxUses: 3 }), ...uses]);
      const row = await db.discountCode.findUniqueOrThrow({ where: { id } });
      expect([undefined, 'USES_ABOVE_LIMIT']).toContain(outcome.errors[0]?.extensions.reason);
      expect(outcome.codes).not.toContain('INTERNAL');
      expect([row.maxUses, row.uses]).toEqual(outcome.codes.length === 0 ? [3, 3] : [10, 6]);
    }
  });

  it('can be deleted without orders', async () => {
    const unused = (await create({ percent: 10 })).data.createDiscountCode.discountCode;
    expect((await remove(unused.id)).data.deleteDiscountCode).toEqual({
      deletedDiscountCodeId: unused.id,
    });
    expect(await listed()).not.toContainEqual(unused);
    const { id } = (await create({ percent: 10 })).data.createDiscountCode.discountCode;
    await app.ctx.db.order.create({
      data: {
        code: v7(),
        status: 'expired',
        buyerName: 'Bo',
        buyerEmail: 'bo@example.org',
        currency: 'EUR',
        totalAmount: 900,
        discountAmount: 100,
        discountCodeId: id,
      },
    });
    expect((await remove(id)).errors[0]?.extensions).toEqual({
      code: 'CONFLICT',
      reason: 'CODE_IN_USE',
    });
    expect((await update(id, { active: false })).data.updateDiscountCode.discountCode.active).toBe(
      false,
    );
  });

  it('returns NOT_FOUND for an unknown id', async () => {
    for (const id of [v7(), 'x']) {
      expect((await update(id, { active: true })).codes).toEqual(['NOT_FOUND']);
      expect((await remove(id)).codes).toEqual(['NOT_FOUND']);
    }
  });

  it('is read with orders:read and written with events:write, never by members', async () => {
    expect((await list({}, { token: await app.token('events:read') })).codes).toEqual([
      'FORBIDDEN',
    ]);
    const member = await (await makeMember(app)).signedIn();
    expect((await list({}, member)).codes).toEqual(['FORBIDDEN']);
    const reader = { token: await app.token('orders:read', 'orders:write') };
    expect((await list({}, reader)).codes).toEqual([]);
    expect((await create({ percent: 10 }, reader)).codes).toEqual(['FORBIDDEN']);
  });
});

describe('the list of discount codes', () => {
  it('filters by event and active, newest first', async () => {
    const { id: eventId } = await createEvent();
    const of = async (input: object) =>
      (await create({ percent: 10, ...input })).data.createDiscountCode.discountCode;
    const [ended, counting, otherEvent] = [
      await of({ eventId }),
      await of({ eventId }),
      await of({}),
    ];
    await update(ended.id, { active: false });
    const ids = async (filter: object) =>
      (await listed(filter)).map(({ id }: { id: string }) => id);
    const here = await ids({ eventId });
    expect(here).not.toContain(otherEvent.id);
    expect(here.indexOf(counting.id)).toBeLessThan(here.indexOf(ended.id));
    expect(await ids({ eventId, active: true })).not.toContain(ended.id);
    expect(await ids({ active: false })).toContain(ended.id);
  });
});

describe('applying a discount', () => {
  it.each([
    [
      'a percentage, rounded half up on the sum',
      { percent: 15, amount: null },
      [333, 333, 333],
      150,
    ],
    ['a half cent, up', { percent: 50, amount: null }, [1], 1],
    ['everything', { percent: 100, amount: null }, [1_234, 0], 1_234],
    ['an amount', { percent: null, amount: 500 }, [1_000, 1_000], 500],
    ['an amount, no more than the sum', { percent: null, amount: 500 }, [200, 100], 300],
    ['zero for free items', { percent: 20, amount: null }, [0, 0], 0],
    ['zero without items', { percent: null, amount: 500 }, [], 0],
  ])('is %s', (_, code, amounts, discount) => {
    expect(applyDiscount(code, amounts).discount).toBe(discount);
  });

  const percentage = fc.record({
    percent: fc.integer({ min: 1, max: 100 }),
    amount: fc.constant(null),
  });
  const fixed = fc.record({
    percent: fc.constant(null),
    amount: fc.integer({ min: 1, max: 2_000_000_000 }),
  });
  const code = fc.oneof(percentage, fixed);
  const price = fc.oneof(
    fc.integer({ min: 0, max: 20 }),
    fc.integer({ min: 0, max: 2_000_000_000 }),
  );
  const prices = fc.array(price, { maxLength: 100 });
  const sum = (amounts: number[]) => amounts.reduce((total, one) => total + one, 0);

  it('adds up exactly and keeps every amount between zero and its price', () => {
    checkProperty(
      fc.property(code, prices, (code, before) => {
        const { discount, amounts } = applyDiscount(code, before);
        expect(amounts).toHaveLength(before.length);
        expect(sum(amounts)).toBe(sum(before) - discount);
        expect(amounts.every((one, index) => one >= 0 && one <= (before[index] ?? -1))).toBe(true);
        expect(amounts.every(Number.isSafeInteger)).toBe(true);
        const multiples = before.map((one) => one * 10);
        const stepped = applyDiscount(code, multiples, 10).amounts;
        expect(stepped.every((one) => one % 10 === 0)).toBe(true);
        expect(stepped.every((one, index) => one >= 0 && one <= (multiples[index] ?? -1))).toBe(
          true,
        );
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  it('spreads by share to within a cent', () => {
    checkProperty(
      fc.property(code, prices, (code, before) => {
        const { discount, amounts } = applyDiscount(code, before);
        const whole = sum(before);
        for (const [index, one] of before.entries()) {
          const off = one - (amounts[index] ?? 0);
          if (whole > 0) expect(Math.abs(off - (discount * one) / whole)).toBeLessThan(1.001);
        }
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  it('is the same total in any order of the amounts', () => {
    checkProperty(
      fc.property(code, prices, (code, before) => {
        const { discount } = applyDiscount(code, before);
        expect(applyDiscount(code, before.toReversed()).discount).toBe(discount);
        expect(
          applyDiscount(
            code,
            before.toSorted((a, b) => a - b),
          ).discount,
        ).toBe(discount);
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});
