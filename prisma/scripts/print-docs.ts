import { readFileSync, writeFileSync } from 'node:fs';
import { createPglite } from '../../src/db/embedded/embedded-database.ts';
import { readMigrations } from '../../src/db/migrations.ts';
import { formatDistribution } from './distribution.ts';
import {
  formatChangeTypes,
  formatCosts,
  formatOperations,
  formatReasons,
  formatTemplates,
  formatTools,
  replacePart,
} from './docs.ts';
import { listRecipePages, showRecipeCode } from './recipe-pages.ts';

const DOCS = new URL('../../docs/', import.meta.url);

/** Writes one generated part of a page. */
function writePart(file: string, name: string, part: string): void {
  const url = new URL(file, DOCS);
  writeFileSync(url, replacePart(readFileSync(url, 'utf8'), name, part));
}

writePart('permissions.md', 'operations', formatOperations());
writePart('errors.md', 'reasons', formatReasons());
writePart('guides/agents.md', 'tools', formatTools());
writePart('guides/changes.md', 'types', formatChangeTypes());
writePart('guides/email.md', 'templates', formatTemplates());
writePart('guides/graphql.md', 'costs', formatCosts());
const pglite = await createPglite();
for (const { sql } of readMigrations()) await pglite.exec(sql);
writePart(
  'guides/scaling.md',
  'distribution',
  await formatDistribution((text, values) => pglite.query(text, values)),
);
for (const page of listRecipePages()) writeFileSync(page, showRecipeCode(page));
process.exit(0);
