import { v7 } from 'uuid';
import { createSale } from '../support/factories/race-stages.ts';
import { serveDatabase } from '../support/harness/app.ts';
import { openTestDatabase } from '../support/harness/database.ts';

const DAY = 24 * 3_600_000;
const ADDRESSES = Array.from({ length: 6 }, (_, n) => `192.0.${n}.1`);

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Sender {
  url: string;
  headers: Record<string, string>;
  event: string;
  ticketTypeId: string;
}

const BUYER = { name: 'Nora Lind', email: 'nora@example.org' };

/** Places an order and returns its id, through each API. */
const APIS = {
  REST: async ({ url, headers, event, ticketTypeId }: Sender): Promise<string> => {
    const body = { buyer: BUYER, items: [{ ticket_type_id: ticketTypeId, quantity: 1 }] };
    const path = `/public/events/${event}/orders`;
    const { data } = await post(url + path, headers, body);
    return data.order.id;
  },
  GraphQL: async ({ url, headers, event, ticketTypeId }: Sender): Promise<string> => {
    const query =
      'mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id } } }';
    const input = { eventId: event, buyer: BUYER, items: [{ ticketTypeId, quantity: 1 }] };
    const { data } = await post(`${url}/graphql`, headers, { query, variables: { input } });
    return data.placeOrder.order.id;
  },
};

async function post(url: string, headers: Record<string, string>, body: object) {
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  return (await fetch(url, init)).json();
}

/** Sends one order from many addresses at the same time to two services, and returns the ids in the responses. */
async function orderFromEveryAddress(order: (sender: Sender) => Promise<string>, key: string) {
  const { database, close } = await openTestDatabase();
  closing.push(close);
  const { ticketTypeId } = await createSale(database, 100, new Date(Date.now() + 30 * DAY));
  const { id: event } = await database.prisma.event.findFirstOrThrow();
  const services = await Promise.all(
    [1, 2].map(() => serveDatabase(database, () => new Date(), { TRUST_PROXY: '1' })),
  );
  closing.push(...services.map((service) => service.close));
  const ids = await Promise.all(
    ADDRESSES.map((address, n) =>
      order({
        url: services[n % 2]?.url ?? '',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': key,
          'x-forwarded-for': address,
        },
        event,
        ticketTypeId,
      }),
    ),
  );
  const rows = await database.prisma.order.findMany({ select: { id: true } });
  return { ids: new Set(ids), rows: new Set(rows.map(({ id }) => id)) };
}

describe.each(Object.entries(APIS))(
  'an order with one idempotency key from many addresses: %s',
  (_, order) => {
    it('is placed once, and every response shows it', async () => {
      const { ids, rows } = await orderFromEveryAddress(order, v7());
      expect(ids).toEqual(rows);
      expect(rows.size).toBe(1);
    });

    it('is placed at each address with a short key (negative control)', async () => {
      const { ids, rows } = await orderFromEveryAddress(order, 'order-4711');
      expect(ids).toEqual(rows);
      expect(rows.size).toBe(ADDRESSES.length);
    });
  },
);
