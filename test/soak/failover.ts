import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrations.ts';
import { startInterruptibleProxy } from '../support/fakes/tcp-proxy.ts';
import { killAll, runFoyer, startService } from '../support/harness/processes.ts';
import { readSizes } from '../support/harness/script-sizes.ts';
import { startBalancer } from './cluster/balancer.ts';
import { startPostgresPair } from './cluster/postgres-pair.ts';
import { createTrafficStage, findLosses, startTraffic, type Traffic } from './cluster/traffic.ts';

// Two instances under load reach PostgreSQL through a proxy that leads to the primary. The primary becomes read-only and writable again;
// then it is killed, its synchronous standby is promoted, and the proxy leads there. Nothing acknowledged may be lost, nothing may be done
// twice or half, and both instances must recover without a restart. The standby serves an export meanwhile. Needs the programs of PostgreSQL and root or the user postgres.

const PORTS: [number, number] = [
  Number(process.env.PRIMARY_PORT ?? 5461),
  Number(process.env.STANDBY_PORT ?? 5462),
];
const { calm } = readSizes({ calm: [8, 3] });
const CALM_MS = calm * 1_000;
const RECOVERY_MS = 60_000;

const problems: string[] = [];

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'foyer-failover-'));
  const pair = await startPostgresPair(PORTS);
  const proxy = await startInterruptibleProxy(new URL(pair.primaryUrl));
  try {
    const before = await openDatabase({ databaseUrl: pair.primaryUrl, dataDir: '' });
    await migrate(before.pool);
    const stage = await createTrafficStage(before);
    await before.close();
    const env = { DATABASE_URL: proxy.url, TRUST_PROXY: '1', QUERY_BUDGET: '1000000000' };
    const services = await Promise.all([startService(env), startService(env)]);
    const balancer = await startBalancer(services.map(({ port }) => port));
    for (const { port } of services) await balancer.waitUntilUp(port);
    const exits: unknown[] = [];
    for (const { ended } of services) void ended.then(({ code }) => exits.push(code));
    const traffic = startTraffic(balancer.url, stage, { lanes: 2 });
    const isReady = async () =>
      (await Promise.all(services.map(({ url }) => fetch(`${url}/readyz`)))).every(({ ok }) => ok);
    await pause(CALM_MS);

    const writable = traffic.acknowledged.size;
    await pair.administer('ALTER SYSTEM SET default_transaction_read_only = on');
    await pair.administer('SELECT pg_reload_conf()');
    await pause(1_000);
    const readOnly = traffic.acknowledged.size;
    if (await isReady()) problems.push('/readyz does not report that the primary is read-only');
    await pause(CALM_MS);
    if (traffic.acknowledged.size > readOnly)
      problems.push('a read-only primary accepted bookings');
    await pair.administer('ALTER SYSTEM RESET default_transaction_read_only');
    await pair.administer('SELECT pg_reload_conf()');
    const writableAgainMs = await measureRecovery(isReady, traffic);
    console.log(`read-only after ${writable} bookings; writable again after ${writableAgainMs} ms`);
    await pause(CALM_MS);

    const exported = await runFoyer(['export', '--json', join(directory, 'export')], {
      DATABASE_URL: pair.standbyUrl,
    });
    if (exported.code !== 0) problems.push(`no export from the standby: ${exported.stderr}`);

    const killed = traffic.acknowledged.size;
    pair.killPrimary();
    proxy.refuse();
    await pause(3_000);
    pair.promoteStandby();
    proxy.leadTo(new URL(pair.standbyUrl));
    proxy.accept();
    const recoveredMs = await measureRecovery(isReady, traffic);
    console.log(
      `killed after ${killed} bookings; ready ${recoveredMs} ms after the standby was promoted`,
    );
    await pause(CALM_MS);

    await traffic.stop();
    for (const [outcome, count] of [...traffic.outcomes].sort())
      console.log(`  ${outcome}: ${count}`);
    const after = await openDatabase({ databaseUrl: pair.standbyUrl, dataDir: '' });
    problems.push(...(await findLosses(after, traffic)));
    await after.close();
    if (exits.length > 0) problems.push(`instances exited with ${exits.join(', ')}`);
    const unexpected = [...traffic.outcomes.keys()].filter(
      (o) => !/ (20[01]|409|429|503)\b/.test(o),
    );
    if (unexpected.length > 0) problems.push(`unexpected: ${unexpected.join(', ')}`);
    console.log(
      `${traffic.acknowledged.size} bookings, ${traffic.reconnects()} times the stream was opened again`,
    );
    balancer.close();
  } finally {
    killAll();
    proxy.close();
    pair.remove();
    rmSync(directory, { recursive: true });
  }
}

/** Returns how long it took until all instances were ready and a booking was made. */
async function measureRecovery(isReady: () => Promise<boolean>, traffic: Traffic): Promise<number> {
  const startedAt = performance.now();
  const before = traffic.acknowledged.size;
  while (!(await isReady()) || traffic.acknowledged.size === before) {
    if (performance.now() - startedAt > RECOVERY_MS) {
      problems.push('the instances did not recover in a minute');
      break;
    }
    await pause(50);
  }
  return Math.round(performance.now() - startedAt);
}

await main();
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? 'Nothing was lost.' : `${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
