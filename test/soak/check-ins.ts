import { parseArgs } from 'node:util';
import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrations.ts';
import {
  type ArrivalTally,
  arriveAll,
  setDoorstep,
  visitsAt,
  type Wanted,
} from '../support/arrivals.ts';
import { killAll, serve } from '../support/processes.ts';
import { administer, within } from '../support/templates.ts';

// A rush of check-ins over HTTP on PostgreSQL: one ticket is scanned 500 times at once, and 500 members arrive at once at
// a location with room for 100. The first argument is the number of arrivals, the second the room, the third the number of
// processes.

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const { positionals } = parseArgs({ allowPositionals: true });
const ARRIVALS = Number(positionals[0] ?? 500);
const ROOM = Number(positionals[1] ?? 100);
const PROCESSES = Number(positionals[2] ?? 1);

type Books = Awaited<ReturnType<typeof visitsAt>>;

async function rush(name: string, wanted: Wanted): Promise<{ tally: ArrivalTally; books: Books }> {
  const databaseName = `foyer_check_ins_${process.pid}_${name}`;
  const databaseUrl = within(SERVER, databaseName);
  await administer(SERVER, `CREATE DATABASE ${databaseName}`);
  try {
    const database = await openDatabase({ databaseUrl, dataDir: '' });
    await migrate(database.pool);
    const { locationId, tickets, members } = await setDoorstep(database, wanted);
    const services = await Promise.all(
      Array.from({ length: PROCESSES }, () => serve({ DATABASE_URL: databaseUrl })),
    );
    const [ticket] = tickets;
    const codes = ticket === undefined ? members : Array<string>(ARRIVALS).fill(ticket);
    const tally = await arriveAll(
      services.map(({ url }) => url),
      codes.map((code) => ({ location_id: locationId, code })),
      { connections: ARRIVALS },
    );
    await Promise.all(services.map(({ stop }) => stop()));
    for (const { logged } of services) {
      for (const line of logged().filter(({ level }) => Number(level) >= 50))
        console.log(JSON.stringify(line).slice(0, 300));
    }
    const books = await visitsAt(database, locationId);
    await database.close();
    return { tally, books };
  } finally {
    killAll();
    await administer(SERVER, `DROP DATABASE ${databaseName} WITH (FORCE)`);
  }
}

function report(
  what: string,
  { tally, books }: { tally: ArrivalTally; books: Books },
  expected: number,
): boolean {
  const { results, errors, ms, waits } = tally;
  const wait = (share: number) => Math.round(waits[Math.ceil(waits.length * share) - 1] ?? 0);
  console.log(
    `${what}: ${JSON.stringify(results)} in ${(ms / 1_000).toFixed(1)} s, ${Math.round((waits.length * 1_000) / ms)}/s; ` +
      `the first answer after ${wait(0.001)} ms, half of them after ${wait(0.5)} ms, the last after ${wait(1)} ms`,
  );
  console.log(`  ${JSON.stringify(books)}`);
  for (const [what, count] of errors) console.log(`  ${count} times ${what}`);
  const { present, open, admitted, attempts } = books;
  const counted = [present, open, admitted, results.admitted].every((count) => count === expected);
  return counted && attempts === ARRIVALS && errors.size === 0;
}

const ticket = report('one ticket', await rush('ticket', { tickets: 1 }), 1);
const wanted = { capacity: ROOM, members: ARRIVALS };
const room = report(`room for ${ROOM}`, await rush('room', wanted), Math.min(ROOM, ARRIVALS));
console.log(ticket && room ? 'everything adds up' : 'SOMETHING DOES NOT ADD UP');
process.exitCode = ticket && room ? 0 : 1;
