import type { Database } from '../../src/db/database.ts';
import {
  readSaleTotals,
  runSale,
  type Sale,
  type SaleTally,
  type SaleTotals,
  STRIPE_CONFIG,
} from '../support/clients/ticket-sale.ts';
import { createSale } from '../support/factories/race-stages.ts';
import { createMeeting, rewriteSql } from '../support/fakes/rewritten-sql.ts';
import { serveDatabase } from '../support/harness/app.ts';
import { openTestDatabase } from '../support/harness/database.ts';

const ATTEMPTS = 400;
const TICKETS = 100;
const BUYERS = 32;
const DAY = 24 * 3_600_000;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface SaleOptions extends Pick<Sale, 'withKeys'> {
  tickets?: number;
  attempts?: number;
  buyers?: number;
  everyonePays?: boolean;
  /** Changes the database of the services. */
  wrap?: (database: Database) => Promise<Database>;
}

/** Runs a sale in a new database, by two services whose orders meet only there. */
async function sellTickets({
  tickets = TICKETS,
  wrap,
  ...options
}: SaleOptions): Promise<{ tally: SaleTally; totals: SaleTotals }> {
  const { database, close } = await openTestDatabase();
  closing.push(close);
  const stage = await createSale(database, tickets, new Date(Date.now() + 30 * DAY));
  const served = wrap ? await wrap(database) : database;
  const services = await Promise.all(
    [1, 2].map(() => serveDatabase(served, () => new Date(), STRIPE_CONFIG)),
  );
  closing.push(...services.map((service) => service.close));
  const urls = services.map(({ url }) => url);
  const sale = { ...stage, urls, database, buyers: BUYERS, attempts: ATTEMPTS, ...options };
  const tally = await runSale(sale);
  return { tally, totals: await readSaleTotals(database, stage.ticketTypeId) };
}

describe('concurrent orders, payments, cancellations and abandoned checkouts', () => {
  it.each([
    ['without keys', false],
    ['with keys', true],
  ])('sell exactly the stock, and payments match: %s', async (_, withKeys) => {
    const { tally, totals } = await sellTickets({ withKeys });
    expect(tally.errors).toEqual(new Map());
    expect(tally.placed + tally.soldOut).toBe(ATTEMPTS);
    expect(tally.soldOut).toBeGreaterThan(0);
    expect(totals.reserved).toBeLessThanOrEqual(TICKETS);
    expect(totals.reserved).toBe(totals.eventReserved);
    expect(totals.reserved).toBe(totals.valid + totals.held);
    expect(totals).toMatchObject({ unpaidTickets: 0, overpaidOrders: 0 });
    expect(totals.captured).toBe(totals.earned + totals.refunded);
  });

  it('oversell without the locks and the CHECKs (negative control)', async () => {
    // One order by each service. Both read the stock before either writes it.
    const { totals } = await sellTickets({
      withKeys: true,
      everyonePays: true,
      tickets: 2,
      attempts: 2,
      buyers: 2,
      wrap: withoutGuards,
    });
    expect(totals.valid + totals.held).toBe(3);
  });
});

/** The same database without the locks on stock, which two orders read before either writes, and without the checks. */
async function withoutGuards(database: Database): Promise<Database> {
  await database.pool.query(`
    ALTER TABLE ticket_types DROP CONSTRAINT ticket_types_never_oversold;
    ALTER TABLE events DROP CONSTRAINT events_never_oversold`);
  // Only the statement that orders lock the stock with: without other locks, statements of the test would deadlock.
  const withoutLock = (text: string) =>
    text.includes("'isOnSale'") ? text.replaceAll(/FOR NO KEY UPDATE( OF t)?/g, '') : text;
  return rewriteSql(database, withoutLock, createMeeting(2));
}
