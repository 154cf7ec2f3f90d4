import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrations.ts';
import {
  type BookingRaceResult,
  countOverlaps,
  dropOverlapConstraint,
  raceForBookings,
} from '../support/clients/booking-race.ts';
import { createBookingRace } from '../support/factories/race-stages.ts';
import { runAsAdmin, withDatabaseName } from '../support/harness/database.ts';
import { killAll, startService } from '../support/harness/processes.ts';
import { readSizes } from '../support/harness/script-sizes.ts';

// Two processes on one PostgreSQL book, move and cancel in the same few hours, and bookings never overlap. The control run
// without the constraint must produce overlaps.

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const {
  attempts,
  control: controlAttempts,
  isCheck,
} = readSizes({
  attempts: [1_000_000, 200],
  control: [5_000, 200],
});
const CONNECTIONS = 32;
const ROOMS = 4;
const DAY = 24 * 3_600_000;

interface Outcome extends BookingRaceResult {
  /** Overlaps in the database at the end. */
  remaining: number;
}

async function runRace(attempts: number, { guarded }: { guarded: boolean }): Promise<Outcome> {
  const name = `foyer_races_${process.pid}_${guarded ? 'guarded' : 'control'}`;
  const databaseUrl = withDatabaseName(SERVER, name);
  await runAsAdmin(SERVER, `CREATE DATABASE ${name}`);
  try {
    const database = await openDatabase({ databaseUrl, dataDir: '' });
    await migrate(database.pool);
    if (!guarded) await dropOverlapConstraint(database);
    const stage = await createBookingRace(database, { includedHours: 0, limitHours: null }, ROOMS);
    const both = await Promise.all([1, 2].map(() => startService({ DATABASE_URL: databaseUrl })));
    const started = performance.now();
    const tally = await raceForBookings({
      ...stage,
      urls: both.map(({ url }) => url),
      from: new Date((Math.floor(Date.now() / DAY) + 30) * DAY),
      attempts,
      connections: CONNECTIONS,
      onProgress: (tally) => report('so far', tally, started),
    });
    report(guarded ? 'total' : 'negative control without the constraint', tally, started);
    await Promise.all(both.map(({ stop }) => stop()));
    const remaining = await countOverlaps(database);
    console.log(`overlapping live bookings at the end: ${remaining}`);
    await database.close();
    return { ...tally, remaining };
  } finally {
    killAll();
    await runAsAdmin(SERVER, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

function report(what: string, tally: BookingRaceResult, started: number): void {
  const { attempts, succeeded, rejected, overlaps, withoutAlternative, errors } = tally;
  const rate = (attempts / (performance.now() - started)) * 1_000;
  const failed = [...errors.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `${what}: ${attempts} attempts, ${succeeded} succeeded, ${rejected} rejected (${withoutAlternative} without an alternative), ${overlaps} overlaps, ${failed} errors, ${rate.toFixed(0)}/s`,
  );
  for (const [error, count] of errors) console.log(`  ${count} times ${error}`);
}

const control = await runRace(controlAttempts, { guarded: false });
const guarded = await runRace(attempts, { guarded: true });
const controlFailed = control.overlaps + control.remaining > 0;
const guardedHeld =
  guarded.overlaps + guarded.remaining + guarded.withoutAlternative + guarded.errors.size === 0;
process.exitCode = (isCheck || controlFailed) && guardedHeld ? 0 : 1;
