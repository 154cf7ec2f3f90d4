import { parseArgs } from 'node:util';
import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrations.ts';
import { killAll, serve } from '../support/processes.ts';
import { type Books, booksOf, type SaleTally, STRIPE, sell, setSale } from '../support/sale.ts';
import { administer, within } from '../support/templates.ts';

// An event sells out: 64 buyers, one ticket type, one service on PostgreSQL. Some pay, some pay too late, some cancel, some
// leave. First with plenty of tickets, to measure the rate; then with far too few, to check that none is oversold. The first argument is the number of tickets of the first sale, the second the number of processes.

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const { positionals } = parseArgs({ allowPositionals: true });
const TICKETS = Number(positionals[0] ?? 20_000);
const PROCESSES = Number(positionals[1] ?? 1);
const BUYERS = 64;
const DAY = 24 * 3_600_000;

async function sale(
  quantity: number,
  attempts: number,
): Promise<{ tally: SaleTally; books: Books }> {
  const name = `foyer_orders_${process.pid}_${quantity}`;
  const databaseUrl = within(SERVER, name);
  await administer(SERVER, `CREATE DATABASE ${name}`);
  try {
    const database = await openDatabase({ databaseUrl, dataDir: '' });
    await migrate(database.pool);
    const stage = await setSale(database, quantity, new Date(Date.now() + 30 * DAY));
    const services = await Promise.all(
      Array.from({ length: PROCESSES }, () => serve({ DATABASE_URL: databaseUrl, ...STRIPE })),
    );
    const urls = services.map(({ url }) => url);
    const tally = await sell({ ...stage, urls, database, buyers: BUYERS, attempts });
    await Promise.all(services.map(({ stop }) => stop()));
    for (const { logged } of services) {
      for (const line of logged().filter(({ level }) => Number(level) >= 50))
        console.log(JSON.stringify(line).slice(0, 300));
    }
    const books = await booksOf(database, stage.ticketTypeId);
    await database.close();
    return { tally, books };
  } finally {
    killAll();
    await administer(SERVER, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

function report(what: string, { tally, books }: { tally: SaleTally; books: Books }): boolean {
  const { placed, refused, paid, late, cancelled, abandoned, errors, sellingMs } = tally;
  const seconds = sellingMs / 1_000;
  console.log(
    `${what}: ${placed} orders placed, ${refused} refused as sold out, in ${seconds.toFixed(1)} s: ` +
      `${(placed / seconds).toFixed(0)} placed/s, ${((placed + refused) / seconds).toFixed(0)} answered/s`,
  );
  console.log(`  paid ${paid}, paid late ${late}, cancelled ${cancelled}, abandoned ${abandoned}`);
  console.log(`  ${JSON.stringify(books)}`);
  for (const [what, count] of errors) console.log(`  ${count} times ${what}`);
  const counted = books.valid + books.held === books.taken && books.taken === books.eventTaken;
  const within = books.taken <= books.capacity;
  const paidFor = books.unpaidTickets === 0 && books.paidForNothing === 0;
  const addsUp = books.captured === books.kept + books.refunded;
  return counted && within && paidFor && addsUp && errors.size === 0;
}

const plenty = report('plenty', await sale(TICKETS, Math.floor(TICKETS / 2)));
const scarce = report('scarce', await sale(1_000, 6_000));
console.log(plenty && scarce ? 'everything adds up' : 'SOMETHING DOES NOT ADD UP');
process.exitCode = plenty && scarce ? 0 : 1;
