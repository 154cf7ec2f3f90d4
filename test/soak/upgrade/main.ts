import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPackageVersion } from '../../../src/core/package-version.ts';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { migrate, readMigrations } from '../../../src/db/migrations.ts';
import { toApplicationName } from '../../../src/db/schema-compatibility.ts';
import { buildServer } from '../../support/harness/build.ts';
import { runAsAdmin, withDatabaseName } from '../../support/harness/database.ts';
import { laterMigration, laterMigrations } from '../../support/harness/later-migration.ts';
import {
  killAll,
  type Service,
  startExpectingExit,
  startService,
} from '../../support/harness/processes.ts';
import { readSizes } from '../../support/harness/script-sizes.ts';
import { startBalancer } from '../cluster/balancer.ts';
import { createTrafficStage, findLosses, startTraffic } from '../cluster/traffic.ts';
import { buildRelease, copyBuild, findNewestTag, readVersion, runSmokeTest } from './releases.ts';

// 1. The previous release, at --release or the newest tag, runs its smoke test on a database that this version has migrated, with one
//    more migration that adds a column to every table. With a migration beside which it cannot run, it must not start.
// 2. Instances under load are replaced by a newer version one after the other. It adds columns to the tables in use, and an old instance
//    is killed and started again in the middle: no request fails but those of the killed one.

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const options = readSizes({ instances: [3, 2] }, 'release');
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const VERSION = readPackageVersion();
const NEWER = '99.0.0';

const directory = mkdtempSync(join(tmpdir(), 'foyer-upgrade-'));

async function main(): Promise<boolean> {
  await buildServer();
  try {
    const release = options.release ?? (await findNewestTag());
    if (release === undefined) console.log('No release is tagged: choose a commit with --release.');
    const isBeside =
      release === undefined || (await withDatabase((to) => startRelease(to, release)));
    return (await withDatabase(upgradeUnderLoad)) && isBeside;
  } finally {
    killAll();
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Target {
  database: Database;
  databaseUrl: string;
}

let count = 0;

async function withDatabase(work: (target: Target) => Promise<boolean>): Promise<boolean> {
  count += 1;
  const name = `foyer_upgrade_${process.pid}_${count}`;
  const databaseUrl = withDatabaseName(SERVER, name);
  await runAsAdmin(SERVER, `CREATE DATABASE ${name}`);
  // It migrates as the newer version.
  const url = new URL(databaseUrl);
  url.searchParams.set('application_name', toApplicationName(NEWER));
  const database = await openDatabase({ databaseUrl: url.href, dataDir: '' });
  try {
    return await work({ database, databaseUrl });
  } finally {
    killAll();
    await database.close();
    await runAsAdmin(SERVER, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

async function startRelease({ database, databaseUrl }: Target, release: string): Promise<boolean> {
  const folder = join(directory, 'release');
  await buildRelease(release, folder);
  const expand = laterMigration(readVersion(folder));
  await migrate(database.pool, [...readMigrations(), expand], { version: NEWER });
  console.log(`${release} on the newer schema: ${await runSmokeTest(folder, databaseUrl)}`);

  const contract = { name: '29990102000000_contract', sql: `-- Runs beside: ${NEWER}\nSELECT 1` };
  await migrate(database.pool, [...readMigrations(), expand, contract], { version: NEWER });
  const env = { PORT: '0', DATABASE_URL: databaseUrl };
  const { code, stderr } = await startExpectingExit(env, folder);
  console.log(`negative control: it exits with ${code}: ${stderr.trim()}`);
  return code === 1 && stderr.includes(`Start version ${NEWER} or later`);
}

async function upgradeUnderLoad({ database, databaseUrl }: Target): Promise<boolean> {
  const newer = join(directory, 'newer');
  copyBuild(ROOT, newer, { version: NEWER, migrations: laterMigrations(VERSION) });
  await migrate(database.pool);
  const stage = await createTrafficStage(database);
  const start = async (root: string, port = 0) => {
    const service = await startService(
      {
        DATABASE_URL: databaseUrl,
        DATABASE_CONNECTIONS: '12',
        PORT: String(port),
        TRUST_PROXY: '1',
        ANONYMOUS_QUERY_BUDGET: '1000000000',
        QUERY_BUDGET: '1000000000',
        SHUTDOWN_DELAY: '',
      },
      root,
    );
    all.push(service);
    return service;
  };
  const all: Service[] = [];
  const services: Service[] = [];
  for (let n = 0; n < options.instances; n += 1) services.push(await start(ROOT));
  const ports = services.map(({ port }) => port);
  const balancer = await startBalancer(ports);
  const traffic = startTraffic(balancer.url, stage);
  const last = ports.length - 1;
  let failedByKill = 0;
  for (const [index, port] of ports.entries()) {
    await services[index]?.stop();
    services[index] = await start(newer, port);
    await balancer.waitUntilUp(port);
    if (index > 0) continue;
    // The schema is new now. An old instance crashes, and its supervisor starts it again.
    const before = countFailed(traffic.outcomes);
    services[last]?.signal('SIGKILL');
    await services[last]?.ended;
    services[last] = await start(ROOT, ports[last]);
    await balancer.waitUntilUp(ports[last] ?? 0);
    failedByKill = countFailed(traffic.outcomes) - before;
    const beside = services[last]?.logged().some(({ msg }) => String(msg).startsWith(BESIDE));
    console.log(`the killed instance runs on the newer schema: ${beside === true}`);
    if (!beside) return false;
  }
  await traffic.stop();
  balancer.close();
  const outcomes = [...traffic.outcomes].sort();
  for (const [outcome, times] of outcomes) console.log(`  ${outcome}: ${times}`);
  for (const line of all.flatMap(({ logged }) => logged()))
    if (Number(line.level) >= ERROR) console.error(JSON.stringify(line));
  const failed = countFailed(traffic.outcomes) - failedByKill;
  const losses = await findLosses(database, traffic);
  for (const loss of losses) console.error(loss);
  console.log(
    `${ports.length} instances upgraded: ${traffic.acknowledged.size} bookings, ${failed} requests failed, and ${failedByKill} while one was killed`,
  );
  return failed === 0 && losses.length === 0;
}

const ERROR = 50;
const BESIDE = 'a newer version migrated the database';

const countFailed = (outcomes: Map<string, number>) =>
  [...outcomes].reduce(
    (sum, [outcome, times]) => (/ 20[01]$/.test(outcome) ? sum : sum + times),
    0,
  );

process.exitCode = (await main()) ? 0 : 1;
