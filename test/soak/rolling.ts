import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrations.ts';
import { runAsAdmin, withDatabaseName } from '../support/harness/database.ts';
import { killAll, type Service, startService } from '../support/harness/processes.ts';
import { readSizes } from '../support/harness/script-sizes.ts';
import { startBalancer } from './cluster/balancer.ts';
import {
  createTrafficStage,
  findLosses,
  startTraffic,
  type TrafficStage,
} from './cluster/traffic.ts';

// Five instances behind a balancer restart one after the other under load, with the default SHUTDOWN_DELAY: no request fails, no
// booking is lost, and the subscription reports each once. The negative control restarts without a delay, and must fail requests.

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const { instances, rounds } = readSizes({ instances: [5, 2], rounds: [2, 1] });

const name = `foyer_rolling_${process.pid}`;
const databaseUrl = withDatabaseName(SERVER, name);

async function main(): Promise<boolean> {
  await runAsAdmin(SERVER, `CREATE DATABASE ${name}`);
  const database = await openDatabase({ databaseUrl, dataDir: '' });
  try {
    await migrate(database.pool);
    const stage = await createTrafficStage(database);
    const control = await restartUnderLoad(stage, { rounds: 1, env: { SHUTDOWN_DELAY: '0' } });
    console.log(`negative control without a delay: ${control.failed} requests failed`);
    await database.pool.query('DELETE FROM bookings');
    const result = await restartUnderLoad(stage, { rounds, env: { SHUTDOWN_DELAY: '' } });
    const losses = await findLosses(database, result.traffic);
    for (const loss of losses) console.error(loss);
    const { acknowledged, reconnects } = result.traffic;
    console.log(
      `${rounds * instances} restarts: ${result.total} requests, ${result.failed} failed, ${acknowledged.size} bookings, ${reconnects()} times the stream was opened again`,
    );
    return control.failed > 0 && result.failed === 0 && losses.length === 0;
  } finally {
    killAll();
    await database.close();
    await runAsAdmin(SERVER, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

async function restartUnderLoad(
  stage: TrafficStage,
  { rounds, env }: { rounds: number; env: NodeJS.ProcessEnv },
) {
  const start = (port = 0) =>
    startService({
      DATABASE_URL: databaseUrl,
      DATABASE_CONNECTIONS: '9', // six instances share one PostgreSQL
      PORT: String(port),
      TRUST_PROXY: '1',
      ANONYMOUS_QUERY_BUDGET: '1000000000',
      QUERY_BUDGET: '1000000000',
      ...env,
    });
  const services: Service[] = [];
  for (let n = 0; n < instances; n += 1) services.push(await start());
  const ports = services.map(({ port }) => port);
  const balancer = await startBalancer(ports);
  const traffic = startTraffic(balancer.url, stage);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, port] of ports.entries()) {
      const { code } = (await services[index]?.stop()) ?? {};
      if (code !== 0) throw new Error(`an instance exited with ${code}`);
      services[index] = await start(port);
      await balancer.waitUntilUp(port);
    }
  }
  await traffic.stop();
  await Promise.all(services.map(({ signal }) => signal('SIGKILL')));
  balancer.close();
  const outcomes = [...traffic.outcomes].sort();
  for (const [outcome, count] of outcomes) console.log(`  ${outcome}: ${count}`);
  const sum = (some: [string, number][]) => some.reduce((total, [, count]) => total + count, 0);
  const failures = outcomes.filter(([outcome]) => !/ 20[01]$/.test(outcome));
  return { traffic, total: sum(outcomes), failed: sum(failures) };
}

process.exitCode = (await main()) ? 0 : 1;
