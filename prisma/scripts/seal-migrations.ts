import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { readMigrations } from '../../src/db/migrations.ts';

// Lists the released migrations with their checksums. Databases have run them, so they must never change: a test compares them.
// Run this before a release. With --check it only fails if the list is not complete.

const file = new URL('../released-migrations.json', import.meta.url);
const released = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
const current = Object.fromEntries(
  readMigrations().map(({ name, sql }) => [name, createHash('sha256').update(sql).digest('hex')]),
);

const changed = Object.keys(released).filter((name) => current[name] !== released[name]);
if (changed.length > 0) {
  console.error(`Released migrations were changed: ${changed.join(', ')}. Add a new one instead.`);
  process.exit(1);
}
const missing = Object.keys(current).filter((name) => !(name in released));
if (process.argv.includes('--check') && missing.length > 0) {
  console.error(`Run "npm run migration:seal" and commit it. Not listed: ${missing.join(', ')}`);
  process.exit(1);
}
writeFileSync(file, `${JSON.stringify(current, null, 2)}\n`);
process.exit(0);
