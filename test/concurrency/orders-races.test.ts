import type { Database } from '../../src/db/database.ts';
import type { Statement } from '../../src/db/prepared-statement.ts';
import { openTestDatabase } from '../support/database.ts';
import { serveOver } from '../support/race-stage.ts';
import { type Books, booksOf, type SaleTally, STRIPE, sell, setSale } from '../support/sale.ts';
import { serverUrl } from '../support/templates.ts';

// The embedded database has one connection, and everybody waits for it.
const ATTEMPTS = serverUrl ? 1_200 : 200;
const TICKETS = serverUrl ? 300 : 60;
const BUYERS = 32;
const DAY = 24 * 3_600_000;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A sale in a database of its own. `seen` is what the service has of it. */
async function held(
  { named, attempts = ATTEMPTS }: { named: boolean; attempts?: number },
  seen: (database: Database) => Database | Promise<Database> = (database) => database,
): Promise<{ tally: SaleTally; books: Books }> {
  const { database, close } = await openTestDatabase();
  closing.push(close);
  const stage = await setSale(database, TICKETS, new Date(Date.now() + 30 * DAY));
  const service = await serveOver(await seen(database), () => new Date(), STRIPE);
  closing.push(service.close);
  const urls = [service.url];
  const tally = await sell({ ...stage, urls, database, buyers: BUYERS, attempts, named });
  return { tally, books: await booksOf(database, stage.ticketTypeId) };
}

describe('when many buy, pay, cancel and go away at once', () => {
  it.each([
    ['each order by itself', false],
    ['each order in the transaction of its key', true],
  ])('exactly what there is is sold, and the money fits: %s', async (_, named) => {
    const { tally, books } = await held({ named });
    expect(tally.errors).toEqual(new Map());
    expect(tally.placed + tally.refused).toBe(ATTEMPTS);
    expect(tally.refused).toBeGreaterThan(0);
    expect(books.taken).toBeLessThanOrEqual(TICKETS);
    expect(books.taken).toBe(books.eventTaken);
    expect(books.taken).toBe(books.valid + books.held);
    expect(books).toMatchObject({ unpaidTickets: 0, paidForNothing: 0 });
    expect(books.captured).toBe(books.kept + books.refunded);
  });

  // In the embedded database one order waits for the other anyhow.
  if (serverUrl) {
    it('without the locks and the CHECKs the same sale sells more than there is', async () => {
      // A race is a matter of chance: now and then all happen to come one after the other.
      let sold = 0;
      for (let sale = 0; sale < 5 && sold <= TICKETS; sale += 1) {
        const { books } = await held({ named: true, attempts: 800 }, unguarded);
        sold = books.valid + books.held;
      }
      expect(sold).toBeGreaterThan(TICKETS);
    });
  }
});

/** The same database, but that nobody waits for stock and no counter refuses. */
async function unguarded(database: Database): Promise<Database> {
  await database.pool.query(`
    ALTER TABLE ticket_types DROP CONSTRAINT ticket_types_never_oversold;
    ALTER TABLE events DROP CONSTRAINT events_never_oversold`);
  const lockless = (text: string) => text.replaceAll(/FOR NO KEY UPDATE( OF t)?/g, '');
  const { lockingSql } = database;
  return {
    ...database,
    lockingSql: ({ text }: Statement, values) => lockingSql({ text: lockless(text) }, values),
    prisma: database.prisma.$extends({
      query: {
        $queryRawUnsafe: ({ args, query }) => query([lockless(String(args[0])), ...args.slice(1)]),
      },
    }) as unknown as Database['prisma'],
  };
}
