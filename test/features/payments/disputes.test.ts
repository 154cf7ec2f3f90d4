import { updateSettings } from '../../../src/features/settings/service.ts';
import type { Credential } from '../../support/clients/api.ts';
import { MINUTE } from '../../support/factories/payments.ts';
import { NOW } from '../../support/factories/seed.ts';
import { STAFF, type TestApp } from '../../support/harness/app.ts';
import { createDisputeActions, setUpStripe } from '../../support/payments/stripe-app.ts';

const { getApp, order, pay } = setUpStripe();
const { report, read } = createDisputeActions(getApp);
let app: TestApp;
beforeAll(() => {
  app = getApp();
});

describe('a dispute', () => {
  it('ends in the same way whatever is repeated, late or out of order', async () => {
    const permute = <Item>(items: Item[]): Item[][] =>
      items.length < 2
        ? [items]
        : items.flatMap((item, index) =>
            permute(items.toSpliced(index, 1)).map((others) => [item, ...others]),
          );
    // A buyer can appeal after a dispute was won. Its events can arrive in the opposite order.
    const OUTCOMES = [['won'], ['lost'], ['warning_closed'], ['won', 'lost'], ['lost', 'won']];
    for (const [index, steps] of permute(['pay', 'created', 'closed']).entries()) {
      const outcomes = OUTCOMES[index % OUTCOMES.length] as string[];
      const isLost = outcomes.includes('lost');
      const { id } = await order();
      for (const step of [...steps, 'updated', ...steps])
        if (step === 'pay') await pay(id);
        else
          for (const status of step === 'closed' ? outcomes : ['needs_response'])
            await report(step, id, status);
      const expected = {
        status: isLost ? 'CANCELLED' : 'PAID',
        disputedAt: null,
        refundedAmount: { amount: isLost ? 5_000 : 0 },
        disputes: [
          { status: isLost ? 'LOST' : 'WON', reason: 'fraudulent', amount: { amount: 5_000 } },
        ],
      };
      expect([steps, await read(id)]).toMatchObject([steps, expected]);
      const types = (await app.ctx.db.change.findMany({ where: { subjectId: id } })).map(
        ({ type }) => type,
      );
      for (const type of ['order.disputed', 'order.dispute_won', 'order.dispute_lost'])
        expect(types.filter((one) => one === type).length).toBeLessThan(2);
    }
  });

  it('marks the order and its tickets, which staff can list and admit', async () => {
    const created = await order();
    await pay(created.id);
    await report('created', created.id, 'needs_response');
    const marked = {
      disputedAt: NOW.toISOString(),
      tickets: [{ isDisputed: true }, { isDisputed: true }],
      allowedActions: { cancel: false },
    };
    expect(await read(created.id)).toMatchObject(marked);
    const staff = { cookie: await app.signIn(STAFF.front_desk) };
    const list = `query ($disputed: Boolean) { orders(filter: { disputed: $disputed }) { nodes { id } } }`;
    const ids = async (disputed: boolean) =>
      (await app.graphql(list, { disputed }, staff)).data.orders.nodes.map(
        ({ id }: { id: string }) => id,
      );
    expect(await ids(true)).toEqual([created.id]);
    expect(await ids(false)).not.toContain(created.id);

    const { locationId } = await app.ctx.db.event.update({
      where: { id: created.eventId ?? '' },
      data: { startsAt: new Date(NOW.getTime() + MINUTE) },
    });
    const [ticket] = await app.ctx.db.ticket.findMany({ where: { orderId: created.id } });
    const scan = async (input: object, as: Credential = staff) => {
      const { data, errors } = await app.graphql(
        'mutation ($input: CheckInInput!) { checkIn(input: $input) { checkIn { result disputed } } }',
        { input: { locationId, code: ticket?.code, ...input } },
        as,
      );
      return errors?.[0]?.extensions.code ?? data.checkIn.checkIn;
    };
    expect(await scan({}, {})).toEqual({ result: 'UNPAID', disputed: false });
    expect(await scan({ admitDisputed: true }, {})).toBe('FORBIDDEN');
    expect(await scan({ scanId: 'a' })).toEqual({ result: 'UNPAID', disputed: true });
    const set = (disputedAdmission: 'ask' | 'admit' | 'reject') =>
      updateSettings(app.app.systemContext, { disputedAdmission });
    await set('reject');
    expect(await scan({ admitDisputed: true })).toEqual({ result: 'UNPAID', disputed: true });
    await set('ask');
    expect(await scan({ admitDisputed: true })).toEqual({ result: 'ADMITTED', disputed: true });
    expect(await scan({ scanId: 'a' })).toEqual({ result: 'UNPAID', disputed: true });
    await set('admit');
    expect(await scan({})).toEqual({ result: 'ALREADY_IN', disputed: true });
    await set('ask');
  });

  it('counts the last amount, and shows one in another currency without counting it', async () => {
    const [changed, foreign] = [await order(), await order()];
    for (const { id } of [changed, foreign]) {
      await pay(id);
      await report('created', id, 'needs_response');
    }
    await report('updated', changed.id, 'needs_response', { amount: 1_000, reason: 'general' });
    expect(await read(changed.id)).toMatchObject({
      disputes: [{ status: 'OPEN', amount: { amount: 1_000 }, reason: 'general' }],
    });
    await report('closed', changed.id, 'lost', { amount: 2_000 });
    await report('updated', foreign.id, 'needs_response', { currency: 'usd', amount: 5_000 });
    const usd = (amount: number) => ({ amount: { amount, currency: 'USD' } });
    expect(await read(foreign.id)).toMatchObject({ disputes: [{ status: 'OPEN', ...usd(5_000) }] });
    await report('closed', foreign.id, 'lost', { currency: 'usd', amount: 5_400 });
    expect(await read(changed.id)).toMatchObject({
      ...{ refundedAmount: { amount: 2_000 }, disputes: [{ amount: { amount: 2_000 } }] },
    });
    expect(await read(foreign.id)).toMatchObject({
      ...{ status: 'PAID', disputedAt: null, refundedAmount: { amount: 0 } },
      disputes: [{ status: 'LOST', ...usd(5_400) }],
    });
    const dispute = await app.ctx.db.dispute.findFirst({ where: { orderId: foreign.id } });
    expect(dispute).toMatchObject({ uncoveredAmount: 0 });
    // Staff are asked to check it when it is reported and when it ends.
    expect(
      await app.ctx.db.providerEvent.count({ where: { lastError: { contains: foreign.id } } }),
    ).toBe(2);
  });

  it.each([
    ['block', 'WON', 0],
    ['resolution', 'LOST', 5_000],
    ['inquiry', 'OPEN', 0],
  ])('that was prevented by %s is %s', async (case_type, status, amount) => {
    const { id } = await order();
    await pay(id);
    await report('closed', id, 'prevented', {
      payment_method_details: { type: 'card', card: { case_type } },
    });
    expect(await read(id)).toMatchObject({ disputes: [{ status }], refundedAmount: { amount } });
  });

  it('of a part of the money leaves the tickets valid, and foreign ones are ignored', async () => {
    const { id } = await order();
    await pay(id);
    await report('closed', id, 'lost', { amount: 2_000 });
    expect(await read(id)).toMatchObject({
      status: 'PAID',
      refundedAmount: { amount: 2_000 },
      tickets: [{ status: 'VALID' }, { status: 'VALID' }],
    });
    const { status } = await report('created', id, 'needs_response', {
      ...{ id: 'dp_foreign', payment_intent: null },
    });
    expect(status).toBe(200);
    expect(await app.ctx.db.dispute.count({ where: { orderId: id } })).toBe(1);
  });
});
