import type { Database } from '../../../src/db/database.ts';
import { createSale } from '../../support/factories/race-stages.ts';
import { rewriteSql } from '../../support/fakes/rewritten-sql.ts';
import { serveDatabase } from '../../support/harness/app.ts';
import { openTestDatabase } from '../../support/harness/database.ts';

const DAY_MS = 24 * 3_600_000;
const LIMIT = 10;
const ATTEMPTS = 60;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** One address places many concurrent orders under different names. Returns the number of seats it got. */
async function flood(
  wrap: (database: Database) => Promise<Database> = async (it) => it,
  { seats, limit }: { seats: number; limit: number | null } = { seats: 1_000, limit: LIMIT },
) {
  const { database, close } = await openTestDatabase();
  closing.push(close);
  const { event, ticketTypeId } = await createSale(
    database,
    seats,
    new Date(Date.now() + 30 * DAY_MS),
  );
  await database.pool.query('UPDATE events SET max_seats_per_address = $1', [limit]);
  const service = await serveDatabase(await wrap(database), () => new Date(), { TRUST_PROXY: '1' });
  closing.push(service.close);
  const statuses = await Promise.all(
    Array.from({ length: ATTEMPTS }, async (_, n) => {
      const { status } = await fetch(`${service.url}/public/events/${event}/orders`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': '198.51.100.7',
          ...(n % 2 === 0 ? { 'idempotency-key': `flood-${n}` } : {}),
        },
        body: JSON.stringify({
          buyer: { name: `Buyer ${n}`, email: `buyer-${n}@example.org` },
          items: [{ ticket_type_id: ticketTypeId, quantity: 1 + (n % 3) }],
        }),
      });
      return status;
    }),
  );
  const { rows } = await database.pool.query(
    `SELECT (SELECT count(*)::int FROM tickets) AS tickets,
      (SELECT seats FROM seat_usages WHERE kind = 'address') AS counted`,
  );
  return { ...rows[0], statuses: [...new Set(statuses)].sort() };
}

it('keeps one address within its limit under concurrent orders', async () => {
  const { tickets, counted, statuses } = await flood();
  expect(tickets).toBeGreaterThan(LIMIT - 3);
  expect(tickets).toBeLessThanOrEqual(LIMIT);
  expect(counted).toBe(tickets);
  expect(statuses).toEqual([201, 422]);
});

it('keeps one address to half of the last seats under concurrent orders', async () => {
  const { tickets, statuses } = await flood(undefined, { seats: 13, limit: null });
  expect(tickets).toBeGreaterThan(4);
  expect(tickets).toBeLessThanOrEqual(7);
  expect(statuses).toEqual([201, 422]);
});

it('exceeds the limit if earlier orders are not counted (negative control)', async () => {
  const { tickets } = await flood(async (database) => {
    await database.pool.query(
      'ALTER TABLE seat_usages DROP CONSTRAINT seat_usages_never_over_limit',
    );
    return rewriteSql(database, (text) => text.replace('FROM seat_usages WHERE', '$& false AND'));
  });
  expect(tickets).toBeGreaterThan(LIMIT);
});
