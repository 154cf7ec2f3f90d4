import { processProviderEvents } from '../../../src/features/payments/service/process-provider-event.ts';
import { MINUTE, makeOrder, postStripeEvent } from '../../support/factories/payments.ts';
import { NOW } from '../../support/factories/seed.ts';
import { createStripeEvent, startStripe, type TestStripe } from '../../support/fakes/stripe.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let stripe: TestStripe;

beforeAll(async () => {
  stripe = await startStripe();
  app = await startApp({ config: stripe.config });
  await app.database.pool.query(`CREATE FUNCTION reject_payment() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'the disk is full'; END $$`);
});
afterEach(async () => {
  app.clock.now = NOW;
  stripe.reset();
  await corrected();
  await app.ctx.db.providerEvent.deleteMany();
});
afterAll(async () => {
  await app.database.pool.query('DROP FUNCTION reject_payment');
  await app.stop();
  await stripe.stop();
});

const broken = () =>
  app.database.pool.query(
    'CREATE TRIGGER reject_payment BEFORE INSERT ON payments FOR EACH ROW EXECUTE FUNCTION reject_payment()',
  );
const corrected = () =>
  app.database.pool.query('DROP TRIGGER IF EXISTS reject_payment ON payments');
const minutesLater = (minutes: number) => {
  app.clock.now = new Date(NOW.getTime() + minutes * MINUTE);
};

const paid = (orderId: string) =>
  createStripeEvent('checkout.session.completed', {
    client_reference_id: orderId,
    payment_status: 'paid',
    payment_intent: `pi_${orderId}`,
    amount_total: 5_000,
    currency: 'eur',
  });
const refunded = (orderId: string) =>
  createStripeEvent('refund.created', {
    id: `re_${orderId}`,
    object: 'refund',
    payment_intent: `pi_${orderId}`,
    amount: 1_500,
    currency: 'eur',
    status: 'succeeded',
    metadata: {},
  });
const stored = (id: string) =>
  app.ctx.db.providerEvent.findUniqueOrThrow({
    where: { provider_id: { provider: 'stripe', id } },
  });
const getStatus = async (id: string) =>
  (await app.ctx.db.order.findUniqueOrThrow({ where: { id } })).status;
const payments = (orderId: string) =>
  app.ctx.db.payment.findMany({ where: { orderId }, include: { refunds: true } });

describe('a provider event that fails', () => {
  it('is stored with its error, retried and processed later', async () => {
    const { id } = await makeOrder(app, 'stripe');
    const event = paid(id);
    await broken();
    const response = await postStripeEvent(app, event);
    expect(response).toMatchObject({ status: 500, body: { success: false } });
    expect(JSON.stringify(response.body)).not.toContain('disk');
    expect(await stored(event.id)).toMatchObject({
      processedAt: null,
      attempts: 1,
      lastError: expect.stringContaining('the disk is full'),
    });
    expect(await getStatus(id)).toBe('pending');
    await corrected();
    expect((await postStripeEvent(app, event)).status).toBe(200);
    expect(await stored(event.id)).toMatchObject({ processedAt: NOW, lastError: null });
    expect(await getStatus(id)).toBe('paid');
  });

  it('is retried with growing delays', async () => {
    const { id } = await makeOrder(app, 'stripe');
    const event = paid(id);
    await broken();
    await postStripeEvent(app, event);
    const tried: number[] = [];
    for (let minute = 0; minute <= 40; minute += 1) {
      minutesLater(minute);
      if ((await processProviderEvents(app.app.systemContext)) > 0) tried.push(minute);
    }
    expect(tried).toEqual([1, 3, 7, 15, 31]);
    await corrected();
    minutesLater(63);
    expect(await processProviderEvents(app.app.systemContext)).toBe(1);
    expect(await processProviderEvents(app.app.systemContext)).toBe(0);
    expect(await getStatus(id)).toBe('paid');
  });

  it('does not block other events', async () => {
    const [one, other] = [await makeOrder(app, 'stripe'), await makeOrder(app, 'stripe')];
    const failing = paid(one.id);
    Object.assign(failing.data.object, { amount_total: 4_999 });
    await app.database.pool.query(`CREATE TRIGGER reject_payment BEFORE INSERT ON payments FOR EACH ROW
      WHEN (NEW.amount = 4999) EXECUTE FUNCTION reject_payment()`);
    for (const { id, type, ...rest } of [failing, paid(other.id)]) {
      const payload = { id, type, ...rest };
      await app.ctx.db.providerEvent.create({
        data: { provider: 'stripe', id, type, payload, receivedAt: NOW, nextAttemptAt: NOW },
      });
    }
    expect(await processProviderEvents(app.app.systemContext)).toBe(2);
    expect([await getStatus(one.id), await getStatus(other.id)]).toEqual(['pending', 'paid']);
    expect((await stored(failing.id)).attempts).toBe(1);
  });
});

describe('a provider event stored before a crash', () => {
  it('is processed once within a minute', async () => {
    const { id } = await makeOrder(app, 'stripe');
    const { id: eventId, type, ...rest } = paid(id);
    const payload = { id: eventId, type, ...rest };
    await app.ctx.db.providerEvent.create({
      data: { provider: 'stripe', id: eventId, type, payload, receivedAt: NOW, nextAttemptAt: NOW },
    });
    await Promise.all([1, 2, 3].map(() => processProviderEvents(app.app.systemContext)));
    expect(await stored(eventId)).toMatchObject({ processedAt: NOW, attempts: 0, lastError: null });
    expect(await getStatus(id)).toBe('paid');
    expect(await payments(id)).toHaveLength(1);
  });
});

describe('provider events out of order', () => {
  it('apply a refund that arrives before its payment', async () => {
    const { id } = await makeOrder(app, 'stripe');
    const early = refunded(id);
    expect((await postStripeEvent(app, early)).status).toBe(200);
    expect(await stored(early.id)).toMatchObject({ processedAt: null, attempts: 1 });
    await postStripeEvent(app, paid(id));
    minutesLater(1);
    expect(await processProviderEvents(app.app.systemContext)).toBe(1);
    expect(await stored(early.id)).toMatchObject({ processedAt: app.clock.now, lastError: null });
    expect(await payments(id)).toMatchObject([
      { amount: 5_000, refunded: 1_500, refunds: [{ ref: `re_${id}`, status: 'succeeded' }] },
    ]);
  });

  it('are given up for refunds of unknown payments', async () => {
    const foreign = refunded('of_another');
    await postStripeEvent(app, foreign);
    for (let minute = 0; minute <= 600; minute += 1) {
      minutesLater(minute);
      await processProviderEvents(app.app.systemContext);
    }
    expect(await stored(foreign.id)).toMatchObject({
      processedAt: expect.any(Date),
      lastError: 'There is no payment pi_of_another.',
    });
  });
});

describe('a late payment', () => {
  it('confirms the order if its seats are available', async () => {
    const { id } = await makeOrder(app, 'stripe');
    await app.ctx.db.ticket.updateMany({ where: { orderId: id }, data: { status: 'expired' } });
    await app.ctx.db.order.update({ where: { id }, data: { status: 'expired' } });
    await postStripeEvent(app, paid(id));
    expect(await getStatus(id)).toBe('paid');
  });

  it('is refunded if the order was cancelled', async () => {
    const { id } = await makeOrder(app, 'stripe', { status: 'cancelled', cancelledAt: NOW });
    await postStripeEvent(app, paid(id));
    expect(await getStatus(id)).toBe('cancelled');
    expect(await payments(id)).toMatchObject([
      { refunded: 5_000, refunds: [{ status: 'pending', amount: 5_000 }] },
    ]);
  });
});
