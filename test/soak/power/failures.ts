import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbedded } from '../../../src/db/embedded/embedded-database.ts';
import { checkDatabase, type Query } from './check-database.ts';
import type { AcknowledgedRow } from './operations.ts';
import { createRandom } from './random.ts';
import type { Scenario } from './scenarios.ts';
import { SimulatedDisk } from './simulated-disk.ts';
import { readTrace } from './trace.ts';

export interface FailureOptions {
  count: number;
  seed: number;
  /** A directory for what a failure leaves. */
  directory: string;
  /** The path of the database below the recorded directory. */
  dataDir: string;
  losesAllPages?: boolean;
  /** Is called after each failure. */
  onProgress?: (checked: number, faults: number) => void;
  /** Starts the service on what is left. */
  startService?: ((dataDir: string) => Promise<void>) | undefined;
}

interface FailureReport {
  /** The failures after which something was wrong, each with what. */
  faults: string[];
  acknowledged: number;
}

/** Simulates power failures at random records of the trace, and checks the database after each. */
export async function simulateFailures(
  scenario: Scenario,
  {
    count,
    seed,
    directory,
    dataDir,
    losesAllPages = false,
    onProgress,
    startService,
  }: FailureOptions,
): Promise<FailureReport> {
  const { random } = createRandom(seed);
  const points = Array.from({ length: count }, () => Math.floor(random() * scenario.records));
  points[0] = scenario.records; // the power fails after everything
  points.sort((a, b) => a - b);
  const disk = new SimulatedDisk();
  if (scenario.base) disk.load(scenario.base);
  const acknowledged: AcknowledgedRow[] = [];
  const faults: string[] = [];
  let checked = 0;
  const fail = async (index: number) => {
    rmSync(directory, { recursive: true, force: true });
    const state = { random: createRandom(seed + checked).random, losesAllPages };
    disk.writeAfterFailure(directory, state);
    try {
      const isFinished = index === scenario.records;
      await checkAfterFailure(join(directory, dataDir), acknowledged, (query) =>
        scenario.check(query, isFinished),
      );
      await startService?.(join(directory, dataDir));
    } catch (error) {
      faults.push(`${scenario.name}, record ${index}, seed ${seed + checked}: ${toMessage(error)}`);
    }
    checked += 1;
    onProgress?.(checked, faults.length);
  };
  let index = 0;
  for (const record of readTrace(scenario.trace)) {
    while (points[checked] === index) await fail(index);
    disk.apply(record);
    index += 1;
    if (record.op !== 'response' || record.status >= 300) continue;
    const row = scenario.acknowledged.get(record.operation);
    if (row) acknowledged.push(row);
  }
  while (checked < count) await fail(index);
  return { faults, acknowledged: acknowledged.length };
}

async function checkAfterFailure(
  dataDir: string,
  acknowledged: AcknowledgedRow[],
  check: (query: Query) => Promise<void>,
): Promise<void> {
  // An interrupted first start begins again.
  if (existsSync(`${dataDir}.unfinished`) || !existsSync(join(dataDir, 'PG_VERSION')))
    await (await openEmbedded(dataDir, { fsync: false })).close();
  await checkDatabase(dataDir, async (query) => {
    for (const table of new Set(acknowledged.map((row) => row.table))) {
      const ids = acknowledged.filter((row) => row.table === table).map(({ id }) => id);
      const missing = await query(
        `SELECT id FROM unnest('{${ids.join()}}'::uuid[]) id WHERE id NOT IN (SELECT id FROM ${table})`,
      );
      if (missing.length > 0)
        throw new Error(`${missing.length} of ${ids.length} ${table} are lost`);
    }
    await check(query);
  });
}

const toMessage = (error: unknown) => (error instanceof Error ? error.message : String(error));
