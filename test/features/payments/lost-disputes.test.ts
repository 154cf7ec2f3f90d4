import { refundOrder } from '../../../src/features/orders/service/cancel-order.ts';
import { retryRefund } from '../../../src/features/payments/service/payments.ts';
import { processRefunds } from '../../../src/features/payments/service/refund-worker.ts';
import { postStripeEvent } from '../../support/factories/payments.ts';
import { createStripeEvent, type TestStripe } from '../../support/fakes/stripe.ts';
import type { TestApp } from '../../support/harness/app.ts';
import { createDisputeActions, setUpStripe } from '../../support/payments/stripe-app.ts';

const { getApp, getStripe, order, pay, listPayments, findEvent } = setUpStripe();
const { report, read } = createDisputeActions(getApp);
let app: TestApp;
let stripe: TestStripe;
beforeAll(() => {
  app = getApp();
  stripe = getStripe();
});

/** Refunds of an order of 5000, what is lost in a dispute, and how the attempt of the first refund ends later. */
interface Settled {
  refunds: { amount: number; status?: 'failed'; ref?: string; attempts?: number }[];
  lost: number;
  later?: ('succeeded' | 'failed' | 'rejected')[];
  problem?: string;
}

describe('a lost dispute', () => {
  it.each([
    ['at once', null],
    ['later', 're_failed'],
  ])('returns money once, also after a refund that failed %s', async (_, ref) => {
    const created = await order();
    await pay(created.id);
    const cancel = () =>
      app.graphql(
        'mutation ($secret: String!) { cancelOrder(input: { secret: $secret }) { order { status } } }',
        { secret: created.secret },
      );
    await app.ctx.db.event.update({
      where: { id: created.eventId ?? '' },
      data: { refundHours: 1 },
    });
    await report('created', created.id, 'needs_response');
    expect((await cancel()).errors[0]?.extensions.reason).toBe('DISPUTED');
    // Staff refund it nevertheless. The provider rejects that, and the bank returns the money.
    await refundOrder(app.app.systemContext, { orderId: created.id });
    await app.ctx.db.refund.updateMany({
      where: { orderId: created.id },
      data: { status: 'failed', lastError: 'The charge is disputed.', ref },
    });
    await report('closed', created.id, 'lost');
    const failure = {
      ...{ id: 're_failed', object: 'refund', payment_intent: `pi_${created.id}` },
      ...{ amount: 5_000, currency: 'eur', metadata: {}, status: 'failed' },
    };
    await postStripeEvent(app, createStripeEvent('refund.failed', failure));
    expect(await read(created.id)).toMatchObject({
      status: 'CANCELLED',
      refundedAmount: { amount: 5_000 },
      refunds: [{ amount: { amount: 5_000 }, status: 'SUCCEEDED' }],
    });
  });

  it('covers one that failed at the provider, and that staff have retried since', async () => {
    const { id } = await order();
    await pay(id);
    await refundOrder(app.app.systemContext, { orderId: id });
    await app.ctx.db.refund.updateMany({
      where: { orderId: id },
      data: { status: 'failed', lastError: 'The card is lost.', ref: 're_failed' },
    });
    const [refund] = (await read(id)).refunds;
    await retryRefund(app.app.systemContext, refund.id);
    await report('closed', id, 'lost');
    expect((await read(id)).refunds).toMatchObject([
      { id: refund.id, amount: { amount: 5_000 }, status: 'SUCCEEDED' },
    ]);
    expect(await processRefunds(app.app.systemContext)).toBe(0);
    expect(stripe.calls()).toEqual([]);
  });

  it.each<[string, Settled, string[]]>([
    [
      'a failed refund before its own',
      { refunds: [{ amount: 2_000, status: 'failed' }], lost: 2_000 },
      ['2000 SUCCEEDED'],
    ],
    [
      'one that was not begun before its own',
      { refunds: [{ amount: 2_000 }], lost: 3_000 },
      ['2000 SUCCEEDED', '1000 SUCCEEDED'],
    ],
    [
      'a part of one that is larger',
      { refunds: [{ amount: 5_000, status: 'failed' }], lost: 2_000 },
      ['2000 SUCCEEDED', '3000 FAILED'],
    ],
    [
      'one under way that fails later',
      { refunds: [{ amount: 5_000, ref: 're_late' }], lost: 5_000, later: ['failed', 'failed'] },
      ['5000 SUCCEEDED'],
    ],
    [
      'one whose next attempt the provider rejects',
      { refunds: [{ amount: 5_000, attempts: 1 }], lost: 5_000, later: ['rejected'] },
      ['5000 SUCCEEDED'],
    ],
    [
      'what one under way did not need, once it has succeeded',
      { refunds: [{ amount: 2_000, ref: 're_late' }], lost: 3_000, later: ['succeeded'] },
      ['2000 SUCCEEDED', '1000 SUCCEEDED', '2000 SUCCEEDED'],
    ],
    [
      'nothing of one under way that succeeds, which staff should check',
      {
        ...{ refunds: [{ amount: 5_000, attempts: 1 }], lost: 5_000, later: ['succeeded'] },
        problem: 'returned 5000 of dispute',
      },
      ['5000 SUCCEEDED'],
    ],
    [
      'one that the provider had made nevertheless, which staff should check',
      {
        refunds: [{ amount: 5_000, status: 'failed' }],
        ...{
          lost: 5_000,
          later: ['succeeded', 'succeeded', 'failed'],
          problem: 'refund re_late of',
        },
      },
      ['5000 SUCCEEDED'],
    ],
  ])('covers %s', async (_, { refunds, lost, later = [], problem }, expected) => {
    const { id } = await order();
    await pay(id);
    for (const { amount, ...more } of refunds) {
      await refundOrder(app.app.systemContext, { orderId: id, amount });
      const data = more.status === 'failed' ? { ...more, lastError: 'Refused.' } : more;
      await app.ctx.db.refund.updateMany({ where: { orderId: id }, data });
    }
    const { id: refundId, amount } = await app.ctx.db.refund.findFirstOrThrow({
      where: { orderId: id },
    });
    await report('closed', id, 'lost', { amount: lost });
    const events = [];
    for (const status of later)
      if (status === 'rejected') {
        stripe.state.rejection = { message: 'The charge is disputed.' };
        await processRefunds(app.app.systemContext);
      } else {
        const refund = { id: 're_late', object: 'refund', payment_intent: `pi_${id}`, status };
        const more = { amount, currency: 'eur', metadata: { refund_id: refundId } };
        events.push(createStripeEvent('refund.updated', { ...refund, ...more }));
        await postStripeEvent(app, events.at(-1) ?? {});
      }
    const rows: { amount: { amount: number }; status: string }[] = (await read(id)).refunds;
    expect(rows.map((row) => `${row.amount.amount} ${row.status}`)).toEqual(expected);
    const counted = rows.reduce((sum, row) => sum + row.amount.amount, 0);
    expect(await listPayments(id)).toMatchObject([{ refunded: counted }]);
    const problems = await Promise.all(
      events.map(async (event) => (await findEvent(event.id))?.lastError),
    );
    expect(problems.filter(Boolean)).toEqual(
      problem === undefined ? [] : [expect.stringContaining(problem)],
    );
  });
});
