import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simulateFailures } from '../soak/power/failures.ts';
import { recordOperations } from '../soak/power/scenarios.ts';
import { killAll } from '../support/harness/processes.ts';

// `npm run soak:power` simulates hundreds of failures, also of migrations, a restore and the first start.

const directory = mkdtempSync(join(tmpdir(), 'foyer-power-'));
afterAll(() => {
  killAll();
  rmSync(directory, { recursive: true });
});

const recording = { directory: join(directory, 'recorded'), operations: 12, starts: 1 };
const failure = { directory: join(directory, 'after-failure'), dataDir: 'main', seed: 20 };

it('a power failure loses no acknowledged write', async () => {
  const scenario = await recordOperations(recording);
  const report = await simulateFailures(scenario, { ...failure, count: 3 });
  expect(report).toEqual({ faults: [], acknowledged: scenario.acknowledged.size });
});

it('without flushes, a power failure loses acknowledged writes', async () => {
  const scenario = await recordOperations({ ...recording, operations: 4, fsync: 'off' });
  const { faults } = await simulateFailures(scenario, {
    ...failure,
    count: 1,
    losesAllPages: true,
  });
  expect(faults).toEqual([expect.stringMatching(/ are lost$/)]);
});
