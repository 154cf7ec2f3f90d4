import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrations.ts';
import {
  readSaleTotals,
  runSale,
  type SaleTally,
  type SaleTotals,
  STRIPE_CONFIG,
} from '../support/clients/ticket-sale.ts';
import { createSale } from '../support/factories/race-stages.ts';
import { runAsAdmin, withDatabaseName } from '../support/harness/database.ts';
import { killAll, startService } from '../support/harness/processes.ts';
import { readSizes } from '../support/harness/script-sizes.ts';

// An event sells out: 64 buyers, one ticket type, one service on PostgreSQL. Some pay, some pay too late, some cancel, some
// leave. First with plenty of tickets to measure the rate, then with far too few to check that none is oversold.

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const {
  tickets,
  scarce: scarceTickets,
  processes,
} = readSizes({
  tickets: [20_000, 100],
  scarce: [1_000, 20],
  processes: [1, 1],
});
const BUYERS = 64;
const DAY = 24 * 3_600_000;

async function sale(
  quantity: number,
  attempts: number,
): Promise<{ tally: SaleTally; totals: SaleTotals }> {
  const name = `foyer_orders_${process.pid}_${quantity}`;
  const databaseUrl = withDatabaseName(SERVER, name);
  await runAsAdmin(SERVER, `CREATE DATABASE ${name}`);
  try {
    const database = await openDatabase({ databaseUrl, dataDir: '' });
    await migrate(database.pool);
    const stage = await createSale(database, quantity, new Date(Date.now() + 30 * DAY));
    const services = await Promise.all(
      Array.from({ length: processes }, () =>
        startService({ DATABASE_URL: databaseUrl, ...STRIPE_CONFIG }),
      ),
    );
    const urls = services.map(({ url }) => url);
    const tally = await runSale({ ...stage, urls, database, buyers: BUYERS, attempts });
    await Promise.all(services.map(({ stop }) => stop()));
    for (const { logged } of services) {
      for (const line of logged().filter(({ level }) => Number(level) >= 50))
        console.log(JSON.stringify(line).slice(0, 300));
    }
    const totals = await readSaleTotals(database, stage.ticketTypeId);
    await database.close();
    return { tally, totals };
  } finally {
    killAll();
    await runAsAdmin(SERVER, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

function report(
  what: string,
  { tally, totals }: { tally: SaleTally; totals: SaleTotals },
): boolean {
  const { placed, soldOut, paid, late, cancelled, abandoned, errors, sellingMs } = tally;
  const seconds = sellingMs / 1_000;
  console.log(
    `${what}: ${placed} orders placed, ${soldOut} sold out, in ${seconds.toFixed(1)} s: ` +
      `${(placed / seconds).toFixed(0)} placed/s, ${((placed + soldOut) / seconds).toFixed(0)} responses/s`,
  );
  console.log(`  paid ${paid}, paid late ${late}, cancelled ${cancelled}, abandoned ${abandoned}`);
  console.log(`  ${JSON.stringify(totals)}`);
  for (const [error, count] of errors) console.log(`  ${count} times ${error}`);
  const counted =
    totals.valid + totals.held === totals.reserved && totals.reserved === totals.eventReserved;
  const withinCapacity = totals.reserved <= totals.capacity;
  const paidFor = totals.unpaidTickets === 0 && totals.overpaidOrders === 0;
  const addsUp = totals.captured === totals.earned + totals.refunded;
  return counted && withinCapacity && paidFor && addsUp && errors.size === 0;
}

const plenty = report('plenty', await sale(tickets, Math.floor(tickets / 2)));
const scarce = report('scarce', await sale(scarceTickets, scarceTickets * 6));
console.log(plenty && scarce ? 'All totals are consistent.' : 'FAILED: totals are inconsistent');
process.exitCode = plenty && scarce ? 0 : 1;
