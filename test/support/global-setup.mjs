import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from './worker/host.mjs';

export default async function setup() {
  const { makeTemplates, serverUrl } = await load(
    fileURLToPath(new URL('./templates.ts', import.meta.url)),
  );
  const where = serverUrl ? 'PostgreSQL (TEST_DATABASE_URL)' : 'the embedded database';
  process.stderr.write(`\nTests run on ${where}.\n`);
  const directory = await mkdtemp(join(tmpdir(), 'foyer-test-'));
  process.env.TEST_RUN = directory;
  const removeTemplates = await makeTemplates();
  // Jest ignores what this gives back; the teardown runs in the same process.
  globalThis.cleanUp = async () => {
    await removeTemplates();
    await rm(directory, { recursive: true });
  };
}
