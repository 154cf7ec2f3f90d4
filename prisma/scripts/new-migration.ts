import { mkdirSync, writeFileSync } from 'node:fs';
import { computeDrift } from './drift.ts';

const name = process.argv[2];
if (!name || !/^[a-z][a-z0-9_]*$/.test(name)) {
  console.error('Say what it does: npm run migration -- add_something');
  process.exit(1);
}
const sql = await computeDrift();
if (sql === '') {
  console.error('The migrations and the schema agree; there is nothing to do.');
} else {
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const directory = new URL(`../migrations/${stamp}_${name}/`, import.meta.url);
  mkdirSync(directory, { recursive: true });
  writeFileSync(new URL('migration.sql', directory), sql);
  console.error(
    `Written: prisma/migrations/${stamp}_${name}/migration.sql. Read it before you commit it.`,
  );
}
process.exit(0);
