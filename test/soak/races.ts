import { parseArgs } from 'node:util';
import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrations.ts';
import { killAll, serve } from '../support/processes.ts';
import { setStage } from '../support/race-stage.ts';
import { dropConstraint, overlapsIn, race, type Tally } from '../support/races.ts';
import { administer, within } from '../support/templates.ts';

// Two processes on one PostgreSQL book, move and cancel in the same few hours, and bookings never overlap. The control run
// without the constraint must produce overlaps. The argument is the number of attempts.

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const { positionals } = parseArgs({ allowPositionals: true });
const ATTEMPTS = Number(positionals[0] ?? process.env.ATTEMPTS ?? 1_000_000);
const CONTROL_ATTEMPTS = Math.min(5_000, ATTEMPTS);
const CONNECTIONS = 32;
const ROOMS = 4;
const DAY = 24 * 3_600_000;

interface Outcome extends Tally {
  /** Found in the database at the end. */
  left: number;
}

async function contest(attempts: number, { guarded }: { guarded: boolean }): Promise<Outcome> {
  const name = `foyer_races_${process.pid}_${guarded ? 'guarded' : 'control'}`;
  const databaseUrl = within(SERVER, name);
  await administer(SERVER, `CREATE DATABASE ${name}`);
  try {
    const database = await openDatabase({ databaseUrl, dataDir: '' });
    await migrate(database.pool);
    if (!guarded) await dropConstraint(database);
    const stage = await setStage(database, { includedHours: 0, limitHours: null }, ROOMS);
    const both = await Promise.all([1, 2].map(() => serve({ DATABASE_URL: databaseUrl })));
    const started = performance.now();
    const tally = await race({
      ...stage,
      urls: both.map(({ url }) => url),
      from: new Date((Math.floor(Date.now() / DAY) + 30) * DAY),
      attempts,
      connections: CONNECTIONS,
      onProgress: (tally) => report('so far', tally, started),
    });
    report(guarded ? 'in all' : 'control, without the constraint', tally, started);
    await Promise.all(both.map(({ stop }) => stop()));
    const left = await overlapsIn(database);
    console.log(`live bookings in each other's way at the end: ${left}`);
    await database.close();
    return { ...tally, left };
  } finally {
    killAll();
    await administer(SERVER, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

function report(what: string, tally: Tally, started: number): void {
  const { attempts, won, refused, overlaps, withoutAlternative, errors } = tally;
  const rate = (attempts / (performance.now() - started)) * 1_000;
  const failed = [...errors.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `${what}: ${attempts} attempts, ${won} won, ${refused} refused (${withoutAlternative} without an alternative), ${overlaps} overlaps, ${failed} errors, ${rate.toFixed(0)}/s`,
  );
  for (const [what, count] of errors) console.log(`  ${count} times ${what}`);
}

const control = await contest(CONTROL_ATTEMPTS, { guarded: false });
const kept = await contest(ATTEMPTS, { guarded: true });
const happened = control.overlaps + control.left > 0;
const never = kept.overlaps + kept.left + kept.withoutAlternative + kept.errors.size === 0;
process.exitCode = happened && never ? 0 : 1;
