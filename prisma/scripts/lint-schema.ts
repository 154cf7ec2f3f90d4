import { readFileSync } from 'node:fs';
import { type ASTNode, parse, visit } from 'graphql';

// Fails if something in schema.graphql has no description. graphql-schema-linter would do the same, but needs versions of
// glob and other packages that are no longer supported, and @graphql-eslint needs ESLint.

const missing: string[] = [];
const path: string[] = [];
visit(parse(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8')), {
  enter: (node: ASTNode) => {
    if (!node.kind.endsWith('Definition') || !('name' in node) || !node.name) return;
    path.push(node.name.value);
    if (!('description' in node && node.description)) missing.push(path.join('.'));
  },
  leave: (node: ASTNode) => {
    if (node.kind.endsWith('Definition') && 'name' in node && node.name) path.pop();
  },
});

for (const name of missing) console.error(`schema.graphql: ${name} has no description`);
process.exit(missing.length > 0 ? 1 : 0);
