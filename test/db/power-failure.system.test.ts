import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

// `npm run soak -- power` simulates hundreds of failures, also of migrations, a restore and the first start. It runs in a process
// of its own, because PGlite cannot load the extension that checks indexes within Jest.

const SOAK = ['--liftoff-only', '--no-opt', '--import', 'tsx', 'test/soak/power/main.ts'];

it('a power failure loses no acknowledged write, and without flushes it destroys data', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...SOAK, '--only', 'operations', '--operations', '12', '--failures', '3', '--seed', '20'],
    { env: { ...process.env, NODE_OPTIONS: '' } },
  );
  expect(stdout).toContain('3 failures, 0 with a fault');
  // Rows are lost, or the database does not open.
  expect(stdout).toMatch(/^control without flushes: operations, record \d+/m);
});
