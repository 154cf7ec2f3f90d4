import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrations.ts';
import { type CheckInTally, checkInAll, countVisits } from '../support/clients/check-in-race.ts';
import { type BusyLocationOptions, createBusyLocation } from '../support/factories/race-stages.ts';
import { runAsAdmin, withDatabaseName } from '../support/harness/database.ts';
import { killAll, startService } from '../support/harness/processes.ts';
import { readSizes } from '../support/harness/script-sizes.ts';

// A rush of check-ins over HTTP on PostgreSQL: one ticket is scanned 500 times at once, and 500 members arrive at once at
// a location with room for 100.

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const { arrivals, capacity, processes } = readSizes({
  arrivals: [500, 20],
  capacity: [100, 5],
  processes: [1, 1],
});

type Counts = Awaited<ReturnType<typeof countVisits>>;

async function rush(
  name: string,
  options: BusyLocationOptions,
): Promise<{ tally: CheckInTally; counts: Counts }> {
  const databaseName = `foyer_check_ins_${process.pid}_${name}`;
  const databaseUrl = withDatabaseName(SERVER, databaseName);
  await runAsAdmin(SERVER, `CREATE DATABASE ${databaseName}`);
  try {
    const database = await openDatabase({ databaseUrl, dataDir: '' });
    await migrate(database.pool);
    const { locationId, tickets, members } = await createBusyLocation(database, options);
    const services = await Promise.all(
      Array.from({ length: processes }, () => startService({ DATABASE_URL: databaseUrl })),
    );
    const [ticket] = tickets;
    const codes = ticket === undefined ? members : Array<string>(arrivals).fill(ticket);
    const tally = await checkInAll(
      services.map(({ url }) => url),
      codes.map((code) => ({ location_id: locationId, code })),
      { connections: arrivals },
    );
    await Promise.all(services.map(({ stop }) => stop()));
    for (const { logged } of services) {
      for (const line of logged().filter(({ level }) => Number(level) >= 50))
        console.log(JSON.stringify(line).slice(0, 300));
    }
    const counts = await countVisits(database, locationId);
    await database.close();
    return { tally, counts };
  } finally {
    killAll();
    await runAsAdmin(SERVER, `DROP DATABASE ${databaseName} WITH (FORCE)`);
  }
}

function report(
  title: string,
  { tally, counts }: { tally: CheckInTally; counts: Counts },
  expected: number,
): boolean {
  const { results, errors, ms, waits } = tally;
  const wait = (share: number) => Math.round(waits[Math.ceil(waits.length * share) - 1] ?? 0);
  console.log(
    `${title}: ${JSON.stringify(results)} in ${(ms / 1_000).toFixed(1)} s, ${Math.round((waits.length * 1_000) / ms)}/s; ` +
      `first response after ${wait(0.001)} ms, median ${wait(0.5)} ms, last ${wait(1)} ms`,
  );
  console.log(`  ${JSON.stringify(counts)}`);
  for (const [error, count] of errors) console.log(`  ${count} times ${error}`);
  const { present, open, admitted, attempts } = counts;
  const counted = [present, open, admitted, results.admitted].every((count) => count === expected);
  return counted && attempts === arrivals && errors.size === 0;
}

const ticket = report('one ticket', await rush('ticket', { tickets: 1 }), 1);
const options = { capacity, members: arrivals };
const room = report(
  `room for ${capacity}`,
  await rush('room', options),
  Math.min(capacity, arrivals),
);
console.log(ticket && room ? 'All totals are consistent.' : 'FAILED: totals are inconsistent');
process.exitCode = ticket && room ? 0 : 1;
