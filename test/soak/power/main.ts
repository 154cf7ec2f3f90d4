import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killAll, startService } from '../../support/harness/processes.ts';
import { readSizes } from '../../support/harness/script-sizes.ts';
import { type FailureOptions, simulateFailures } from './failures.ts';
import {
  recordFirstStart,
  recordMigration,
  recordOperations,
  recordRestore,
  type Scenario,
} from './scenarios.ts';

// Records what the service does with its files, and simulates power failures at random points. After each the database opens,
// every acknowledged row exists, every index agrees with its table, and all constraints hold. The control runs the service
// without flushes and loses every page, and must find a fault.

const {
  failures: FAILURES,
  seed: SEED,
  operations: operationCount,
  only,
} = readSizes(
  {
    failures: [300, 1],
    seed: [Date.now() % 1_000_000, 1],
    operations: [200, 20],
  },
  'only',
);
/** `--only operations` leaves out the migration, the restore and the first start, and opens the database without a service. */
const isShort = only === 'operations';
/** The shares of the failures. A first start that was interrupted begins again, which takes long to check. */
const SHARES = { operations: 0.75, migration: 0.1, restore: 0.1, firstStart: 0.05 };
const PROGRESS_EVERY = 10;
const CONTROL_OPERATIONS = 40;

const directory = mkdtempSync(join(tmpdir(), 'foyer-power-'));
let failures = 0;
let faults = 0;

async function simulate(scenario: Scenario, share: number, dataDir = 'main'): Promise<void> {
  const count = Math.ceil(FAILURES * share);
  const started = performance.now();
  const report = await simulateFailures(scenario, {
    count,
    seed: SEED,
    directory: join(directory, 'after-failure'),
    dataDir,
    startService: startAfterFailure,
    onProgress: (done, found) => {
      if (done % PROGRESS_EVERY === 0)
        console.log(`${scenario.name}: ${done} of ${count}, ${found} faults`);
    },
  });
  failures += count;
  faults += report.faults.length;
  const seconds = Math.round((performance.now() - started) / 1_000);
  console.log(
    `${scenario.name}: ${count} failures in ${scenario.records} records with ${report.acknowledged} acknowledged rows, ${report.faults.length} faults, ${seconds} s`,
  );
  for (const fault of report.faults) console.log(`  ${fault}`);
}

const startAfterFailure: FailureOptions['startService'] = async (dataDir) => {
  if (isShort) return;
  const service = await startService({ DATA_DIR: dataDir, LOG_LEVEL: 'info' });
  const { status } = await fetch(`${service.url}/readyz`);
  await service.stop();
  if (status !== 200) throw new Error(`the service is not ready: ${status}`);
};

async function main(): Promise<boolean> {
  mkdirSync(directory, { recursive: true });
  console.log(`seed ${SEED}`);
  const at = (name: string) => ({ directory: join(directory, name) });
  const operations = await recordOperations({
    ...at('operations'),
    operations: operationCount,
  });
  await simulate(operations, isShort ? 1 : SHARES.operations);
  if (!isShort) {
    await simulate(await recordMigration(at('migration')), SHARES.migration);
    const source = join(directory, 'operations/root/main');
    await simulate(await recordRestore(at('restore'), source), SHARES.restore);
    await simulate(await recordFirstStart(at('first-start')), SHARES.firstStart, 'main/nested');
  }
  const control = await simulateFailures(
    await recordOperations({ ...at('control'), fsync: 'off', operations: CONTROL_OPERATIONS }),
    {
      count: 1,
      seed: SEED,
      directory: join(directory, 'after-failure'),
      dataDir: 'main',
      losesAllPages: true,
    },
  );
  console.log(`control without flushes: ${control.faults.join() || 'NO FAULT'}`);
  console.log(`${failures} failures, ${faults} with a fault`);
  return faults === 0 && control.faults.length === 1;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} finally {
  killAll();
  rmSync(directory, { recursive: true, force: true });
}
