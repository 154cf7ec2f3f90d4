import { parseArgs } from 'node:util';
import { generateCode } from '../../src/core/ids.ts';
import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrations.ts';
import { Crawler, type Findings, TRICKS, type Trick } from '../support/crawler.ts';
import { crowd } from '../support/crowd.ts';
import { serveOver } from '../support/race-stage.ts';
import { systemCtx } from '../support/seed.ts';
import { administer, within } from '../support/templates.ts';

// Measures what a crawler learns from the public lookup by using it all day as fast as the limits allow. A real service on
// PostgreSQL has ten thousand members and a clock that advances whenever the crawler has to wait. The argument is the hours.

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' } },
});
const HOURS = Number(positionals[0] ?? 24);
const MEMBERS = 10_000;
const MOST_LEARNED = 0.01;
/** What is told for people who came in, and the budget. */
const MOST_BOUGHT = 340;

interface Kind {
  what: string;
  addresses: number;
  /** Checks somebody of each lookup in, for it not to count. */
  checksIn?: Trick[];
}
const KINDS: Record<string, Kind> = {
  a: { what: 'one address', addresses: 1 },
  b: { what: 'twenty addresses', addresses: 20 },
  c: { what: 'one address, checks people in', addresses: 1, checksIn: TRICKS },
};

async function crawl({ what, ...kind }: Kind): Promise<Findings & { what: string }> {
  const name = `foyer_crawler_${process.pid}`;
  const databaseUrl = within(SERVER, name);
  await administer(SERVER, `CREATE DATABASE ${name}`);
  try {
    const database = await openDatabase({ databaseUrl, dataDir: '' });
    await migrate(database.pool);
    const { db } = systemCtx(database);
    const { id: locationId } = await db.location.create({
      data: { slug: 'arena', name: 'Arena', timeZone: 'Europe/Berlin' },
    });
    const members = await db.member.createManyAndReturn({
      data: crowd(MEMBERS).map((person) => ({ ...person, code: generateCode(10) })),
    });
    await database.pool.query('ANALYZE');
    const crawler = new Crawler({
      ...kind,
      locationId,
      members,
      pool: database.pool,
      hours: HOURS,
    });
    const service = await serveOver(database, crawler.now, { TRUST_PROXY: '1' });
    const findings = await crawler.run(service.url, (sofar) => report([{ what, ...sofar }]));
    await service.close();
    await database.close();
    return { what, ...findings };
  } finally {
    await administer(SERVER, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

function report(rows: (Findings & { what: string })[]): void {
  console.table(
    rows.map(({ what, byName, byAddress, spelt, leaks, ...counts }) => ({
      crawler: what,
      ...counts,
      'told by name': byName,
      'told by guessed address': byAddress,
      'share of members': `${(((byName + byAddress) / MEMBERS) * 100).toFixed(2)} %`,
      'names spelt out': spelt,
      'leaks in bodies': leaks.length,
    })),
  );
  for (const { leaks } of rows) for (const leak of leaks.slice(0, 5)) console.log(`LEAK: ${leak}`);
}

const findings: (Findings & { what: string })[] = [];
for (const [letter, kind] of Object.entries(KINDS))
  if (!values.only || values.only.includes(letter)) findings.push(await crawl(kind));
report(findings);
// Whoever lets people in leaves visits behind, and is told of so many more.
const little = findings.every(
  ({ byName, ...it }) => byName <= (it['let in'] > 0 ? MOST_BOUGHT : MOST_LEARNED * MEMBERS),
);
const sealed = findings.every(({ leaks }) => leaks.length === 0);
process.exitCode = little && sealed ? 0 : 1;
