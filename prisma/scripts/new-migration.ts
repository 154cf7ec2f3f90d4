import { mkdirSync, writeFileSync } from 'node:fs';
import { readPackageVersion } from '../../src/core/package-version.ts';
import { toRunsBesideLine } from '../../src/db/schema-compatibility.ts';
import { computeDrift } from './drift.ts';

const name = process.argv[2];
if (!name || !/^[a-z][a-z0-9_]*$/.test(name)) {
  console.error('Name the migration: npm run migration -- add_something');
  process.exit(1);
}
const sql = await computeDrift();
if (sql === '') {
  console.error('The migrations match the schema. Nothing to do.');
} else {
  const timestamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const directory = new URL(`../migrations/${timestamp}_${name}/`, import.meta.url);
  mkdirSync(directory, { recursive: true });
  const released = readPackageVersion();
  writeFileSync(new URL('migration.sql', directory), `${toRunsBesideLine(released)}\n\n${sql}`);
  console.error(
    `Wrote prisma/migrations/${timestamp}_${name}/migration.sql. Review it before you commit it: its first line promises that version ${released} can run beside it. See docs/contributing.md.`,
  );
}
process.exit(0);
