import type { Database } from '../../src/db/database.ts';
import { expireOrders } from '../../src/features/orders/service/expire-orders.ts';
import { createSale } from '../support/factories/race-stages.ts';
import { createSystemContext } from '../support/factories/seed.ts';
import { rewriteTransactions } from '../support/fakes/rewritten-sql.ts';
import { SANDBOX, serveDatabase } from '../support/harness/app.ts';
import { openTestDatabase } from '../support/harness/database.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const BUYER = { name: 'Nora Lind', email: 'nora@example.org' };

// The orders of both buyers are equal, so that they can share a key.
const UNLIMITED = { maxSeatsPerEmail: 100, maxSeatsPerAddress: 100, maxSeatsPerNetwork: 100 };

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Answer {
  status: number;
  id: string | null;
  reason: string | null;
}

type Order = (url: string, stage: Stage, quantity: number, key?: string) => Promise<Answer>;

interface Stage {
  slug: string;
  ticketTypeId: string;
  dayPassTypeId: string;
  date: string;
}

async function post(url: string, body: object, key: string | undefined) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key ? { 'idempotency-key': key } : {}) },
    body: JSON.stringify(body),
  });
  return { response, body: await response.json() };
}

const orderThroughRest =
  (toPath: (stage: Stage) => string, toBody: (stage: Stage, quantity: number) => object): Order =>
  async (url, stage, quantity, key) => {
    const json = { buyer: BUYER, ...toBody(stage, quantity) };
    const { response, body } = await post(url + toPath(stage), json, key);
    const reason = response.headers.get('foyer-error-reason');
    return { status: response.status, id: body.data.order?.id ?? null, reason };
  };

const orderTicketsThroughRest = orderThroughRest(
  ({ slug }) => `/public/events/${slug}/orders`,
  ({ ticketTypeId }, quantity) => ({ items: [{ ticket_type_id: ticketTypeId, quantity }] }),
);

/** Orders seats of the two kinds, through each API. */
const APIS: Record<string, Order> = {
  'tickets over REST': orderTicketsThroughRest,
  'day passes over REST': orderThroughRest(
    () => '/public/day-passes/orders',
    ({ dayPassTypeId, date }, quantity) => ({
      day_pass_type_id: dayPassTypeId,
      valid_on: date,
      holders: Array.from({ length: quantity }, () => BUYER),
    }),
  ),
  'tickets over GraphQL': async (url, { slug, ticketTypeId }, quantity, key) => {
    const query =
      'mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id } } }';
    const input = { eventId: slug, buyer: BUYER, items: [{ ticketTypeId, quantity }] };
    const { response, body } = await post(`${url}/graphql`, { query, variables: { input } }, key);
    const reason = body.errors?.[0]?.extensions.reason ?? null;
    return { status: response.status, id: body.data?.placeOrder?.order.id ?? null, reason };
  },
};

/** Opens two services after an unpaid order has held both seats for longer than it may. */
async function openOverdueSale(order: Order, wrap: (database: Database) => Database) {
  const { database, close } = await openTestDatabase();
  closing.push(close);
  const start = Date.now();
  const sale = await createSale(database, 2, new Date(start + 30 * DAY_MS));
  const { id: locationId } = await database.prisma.location.findFirstOrThrow();
  await database.prisma.event.updateMany({ data: UNLIMITED });
  const { id: dayPassTypeId } = await database.prisma.dayPassType.create({
    data: { locationId, name: 'Day', priceAmount: 1_500, dailyCapacity: 2, ...UNLIMITED },
  });
  const date = new Date(start + 7 * DAY_MS).toISOString().slice(0, 10);
  const { event: slug, ticketTypeId } = sale;
  const stage = { slug, ticketTypeId, dayPassTypeId, date };
  let now = start;
  const serve = async (served: Database) => {
    // Orders are paid online, so that they are held for 15 minutes.
    const service = await serveDatabase(served, () => new Date(now), SANDBOX);
    closing.push(service.close);
    return service.url;
  };
  expect(await order(await serve(database), stage, 2)).toMatchObject({ reason: null });
  now = start + 16 * MINUTE_MS;
  const wrapped = wrap(database);
  const [first, second] = [await serve(wrapped), await serve(wrapped)];
  const ctx = { ...createSystemContext(database), now: () => new Date(now) };
  return { database, ctx, stage, first, second };
}

/** Lets two orders that were both rejected for lack of seats continue at the same time. */
const meetBeforeRelease = (database: Database) =>
  rewriteTransactions(database, (text) => text, { before: 'SKIP LOCKED', count: 2 });

/** Two orders at the same time, one by each service. */
async function orderTwice(order: Order, quantity: number, key?: string, wrap = meetBeforeRelease) {
  const { stage, first, second } = await openOverdueSale(order, wrap);
  return Promise.all([first, second].map((url) => order(url, stage, quantity, key)));
}

describe.each(Object.entries(APIS))('seats of an overdue order: %s', (_, order) => {
  it('go to both of two simultaneous buyers', async () => {
    const [one, other] = await orderTwice(order, 1);
    expect([one?.reason, other?.reason]).toEqual([null, null]);
    expect(one?.id).not.toBe(other?.id);
  });

  it.each(['short', 'a-long-idempotency-key'])(
    'give two requests with the key %s the same response',
    async (key) => {
      const [one, other] = await orderTwice(order, 2, key);
      expect(one).toMatchObject({ id: expect.any(String), reason: null });
      expect(other).toEqual(one);
    },
  );

  it('go to one of two simultaneous buyers who both want all', async () => {
    const answers = await orderTwice(order, 2);
    expect(answers.map(({ reason }) => reason).sort()).toEqual(['SOLD_OUT', null]);
  });

  it('are waited for while another transaction releases them', async () => {
    expect(await orderDuringRelease(order)).toMatchObject({ id: expect.any(String), reason: null });
  });
});

/** Orders a seat while another transaction has locked the overdue order, which it then expires. */
async function orderDuringRelease(order: Order, wrap = (database: Database) => database) {
  const { database, ctx, stage, first } = await openOverdueSale(order, wrap);
  let answer = Promise.resolve<Answer | null>(null);
  await database.prisma.$transaction(
    async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM orders FOR UPDATE`;
      const lockingSql = ((sql: { text: string }, values: unknown[]) =>
        tx.$queryRawUnsafe(sql.text, ...values)) as typeof ctx.lockingSql;
      answer = order(first, stage, 1);
      await Promise.race([answer, waitUntilLocked(database)]);
      await expireOrders({ ...ctx, db: tx, lockingSql, isInTransaction: true });
    },
    { timeout: 20_000 },
  );
  return answer;
}

/** Waits until a statement waits for a lock. */
async function waitUntilLocked({ pool }: Pick<Database, 'pool'>): Promise<void> {
  for (;;) {
    const { rows } = await pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (rows.length > 0) return;
  }
}

describe('orders that are not judged again (negative controls)', () => {
  it('are rejected if the stock is not read again', async () => {
    const answers = await orderTwice(orderTicketsThroughRest, 1, undefined, (database) => {
      const pipelinedSql = ({ text }: { text: string }, values: unknown[]) =>
        database.pipelinedSql<never>(
          { text: text.replace("'left', least(", "'left', least(0, ") },
          values,
        );
      const skipsLocked = (text: string) =>
        text.replace(
          /(SKIP LOCKED[\s\S]*)EXISTS \([\s\S]*\) AS "isOverdueLeft"/,
          '$1false AS "isOverdueLeft"',
        );
      const meeting = { before: 'SKIP LOCKED', count: 2 };
      return rewriteTransactions({ ...database, pipelinedSql }, skipsLocked, meeting);
    });
    expect(answers.map(({ reason }) => reason).sort()).toEqual(['SOLD_OUT', null]);
  });

  it('are rejected if they do not wait for the release', async () => {
    const answer = await orderDuringRelease(orderTicketsThroughRest, (database) =>
      rewriteTransactions(database, (text) =>
        text.replace(/EXISTS \([\s\S]*\) AS "isOverdueLeft"/, 'false AS "isOverdueLeft"'),
      ),
    );
    expect(answer?.reason).toBe('SOLD_OUT');
  });
});
