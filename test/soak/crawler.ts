import { generateCode } from '../../src/core/ids.ts';
import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrations.ts';
import { Crawler, type Findings, TRICKS, type Trick } from '../support/clients/crawler.ts';
import { createPeople } from '../support/factories/crowd.ts';
import { createSystemContext } from '../support/factories/seed.ts';
import { serveDatabase } from '../support/harness/app.ts';
import { runAsAdmin, withDatabaseName } from '../support/harness/database.ts';
import { readSizes } from '../support/harness/script-sizes.ts';

// Measures what a crawler learns from the public lookup by using it all day as fast as the limits allow. A real service on
// PostgreSQL has ten thousand members and a clock that advances whenever the crawler has to wait.

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const {
  hours,
  members: count,
  only,
  isCheck,
} = readSizes({ hours: [24, 0.1], members: [10_000, 1_000] }, 'only');
const MAX_LEARNED_SHARE = 0.01;

interface Kind {
  what: string;
  addresses: number;
  /** Checks in a member of each lookup. It counts nevertheless, since the crawler is not paired. */
  checkInTricks?: Trick[];
}
const KINDS: Record<string, Kind> = {
  a: { what: 'one address', addresses: 1 },
  b: { what: 'twenty addresses', addresses: 20 },
  c: { what: 'one address, checks people in', addresses: 1, checkInTricks: TRICKS },
};

async function crawl({ what, ...kind }: Kind): Promise<Findings & { what: string }> {
  const name = `foyer_crawler_${process.pid}`;
  const databaseUrl = withDatabaseName(SERVER, name);
  await runAsAdmin(SERVER, `CREATE DATABASE ${name}`);
  try {
    const database = await openDatabase({ databaseUrl, dataDir: '' });
    await migrate(database.pool);
    const { db } = createSystemContext(database);
    const { id: locationId } = await db.location.create({
      data: { slug: 'arena', name: 'Arena', timeZone: 'Europe/Berlin', memberAdmission: 'all' },
    });
    const members = await db.member.createManyAndReturn({
      data: createPeople(count).map((person) => ({ ...person, code: generateCode(10) })),
    });
    await database.pool.query('ANALYZE');
    const crawler = new Crawler({
      ...kind,
      locationId,
      members,
      pool: database.pool,
      hours,
    });
    const service = await serveDatabase(database, crawler.now, { TRUST_PROXY: '1' });
    const findings = await crawler.run(service.url, (sofar) => report([{ what, ...sofar }]));
    await service.close();
    await database.close();
    return { what, ...findings };
  } finally {
    await runAsAdmin(SERVER, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

function report(rows: (Findings & { what: string })[]): void {
  console.table(
    rows.map(({ what, byName, byAddress, spelled, leaks, ...counts }) => ({
      crawler: what,
      ...counts,
      'found by name': byName,
      'found by guessed address': byAddress,
      'share of members': `${(((byName + byAddress) / count) * 100).toFixed(2)} %`,
      'names spelled out': spelled,
      leaks: leaks.length,
    })),
  );
  for (const { leaks } of rows) for (const leak of leaks.slice(0, 5)) console.log(`LEAK: ${leak}`);
}

const findings: (Findings & { what: string })[] = [];
for (const [letter, kind] of Object.entries(KINDS))
  if (!only || only.includes(letter)) findings.push(await crawl(kind));
report(findings);
const isLimited = isCheck || findings.every(({ byName }) => byName <= MAX_LEARNED_SHARE * count);
const hasNoLeaks = findings.every(({ leaks }) => leaks.length === 0);
process.exitCode = isLimited && hasNoLeaks ? 0 : 1;
