import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from './worker/host.mjs';

export default async function setup() {
  const { createTemplates, serverUrl } = await load(
    fileURLToPath(new URL('./database.ts', import.meta.url)),
  );
  const where = serverUrl ? 'PostgreSQL (TEST_DATABASE_URL)' : 'the embedded database';
  process.stderr.write(`\nTests run on ${where}.\n`);
  const directory = await mkdtemp(join(tmpdir(), 'foyer-test-'));
  process.env.TEST_RUN = directory;
  const removeTemplates = await createTemplates();
  // Jest ignores the return value; the teardown runs in the same process.
  globalThis.cleanUp = async () => {
    await removeTemplates();
    await rm(directory, { recursive: true });
  };
}
