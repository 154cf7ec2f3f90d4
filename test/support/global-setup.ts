import { makeTemplates, serverUrl } from './templates.ts';

export default async function setup() {
  const where = serverUrl ? 'PostgreSQL (TEST_DATABASE_URL)' : 'the embedded database';
  process.stderr.write(`\nTests run on ${where}.\n`);
  // Jest ignores what this gives back; the teardown runs in the same process.
  Object.assign(globalThis, { removeTemplates: await makeTemplates() });
}
