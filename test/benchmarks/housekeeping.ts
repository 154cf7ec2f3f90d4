import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../../src/db/embedded/embedded-database.ts';
import { runHousekeeping } from '../../src/db/embedded/housekeeping.ts';
import { migrate } from '../../src/db/migrations.ts';
import { readSizes } from '../support/harness/script-sizes.ts';
import { generateHistory, LARGE } from './history/generate.ts';

// How long each statement of the housekeeping of the embedded database keeps all requests waiting, after many bookings were added
// and changed: npm run bench:housekeeping -- --bookings 300000

const { bookings: BOOKINGS } = readSizes({ bookings: [300_000, 300] });

const directory = mkdtempSync(join(tmpdir(), 'foyer-housekeeping-'));
const { pool, close } = await openEmbedded(join(directory, 'data'), { fsync: true });
await migrate(pool);
const scale = BOOKINGS / LARGE.bookings;
const sizes = Object.entries(LARGE).map(([name, size]) => [name, Math.ceil(size * scale)]);
await generateHistory(pool, Object.fromEntries(sizes), new Date('2026-11-22T12:00:00Z'));

/** Runs the housekeeping and prints its statements, the longest first. */
async function measure(occasion: string): Promise<void> {
  const { query } = pool;
  const statements: { text: string; ms: number }[] = [];
  pool.query = (async (text: string) => {
    const started = performance.now();
    const result = await Reflect.apply(query, pool, [text]);
    statements.push({ text: text.trim().slice(0, 60), ms: performance.now() - started });
    return result;
  }) as typeof query;
  await runHousekeeping(pool, { pauseMs: 0 });
  pool.query = query;
  console.log(`${occasion}: ${statements.length} statements`);
  for (const { text, ms } of statements.toSorted((a, b) => b.ms - a.ms).slice(0, 8))
    console.log(`  ${ms.toFixed(0).padStart(6)} ms  ${text}`);
}

try {
  await measure(`after ${BOOKINGS} new bookings`);
  await pool.query(`UPDATE bookings SET notes = 'changed' WHERE id::text ~ '[0-4]$'`);
  await measure('after a third of them was changed');
} finally {
  await close();
  rmSync(directory, { recursive: true });
}
