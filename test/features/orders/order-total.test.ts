import { priceOrder } from '../../../src/features/orders/place/build-order.ts';

const MAX_TOTAL_AMOUNT = 2_000_000_000;
const person = { name: 'Robin', email: null };

const price = (amounts: number[], percent: number | null = null) =>
  priceOrder(
    amounts.map((unitPrice) => ({ unitPrice, person })) as Parameters<typeof priceOrder>[0],
    percent === null ? null : ({ percent, amount: null } as Parameters<typeof priceOrder>[1]),
    'EUR',
  );

const tooExpensive = expect.objectContaining({
  details: expect.objectContaining({ reason: 'TOO_EXPENSIVE' }),
});

describe('the total of an order', () => {
  it('can be the largest that one payment covers', () => {
    expect(price([MAX_TOTAL_AMOUNT - 1, 1]).totalAmount).toBe(MAX_TOTAL_AMOUNT);
  });

  it('is rejected if it is one minor unit higher', () => {
    expect(() => price([MAX_TOTAL_AMOUNT, 1])).toThrow(tooExpensive);
  });

  it('is checked before the discount, which is stored in a column of the same size', () => {
    expect(price([MAX_TOTAL_AMOUNT - 1, 1], 100).totalAmount).toBe(0);
    expect(() => price([MAX_TOTAL_AMOUNT, 1], 100)).toThrow(tooExpensive);
  });
});
