import { readFileSync } from 'node:fs';
import {
  type ASTNode,
  buildASTSchema,
  type DocumentNode,
  getNamedType,
  isObjectType,
  parse,
  visit,
} from 'graphql';

// Fails if schema.graphql breaks a rule. graphql-schema-linter would check the descriptions, but needs versions of glob and
// other packages that are no longer supported, and @graphql-eslint needs ESLint.

const document = parse(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
const problems = [...findUndescribed(document), ...findMissingEdges(document)];
for (const problem of problems) console.error(`schema.graphql: ${problem}`);
process.exit(problems.length > 0 ? 1 : 0);

function findUndescribed(document: DocumentNode): string[] {
  const missing: string[] = [];
  const path: string[] = [];
  visit(document, {
    enter: (node: ASTNode) => {
      if (!node.kind.endsWith('Definition') || !('name' in node) || !node.name) return;
      path.push(node.name.value);
      if (!('description' in node && node.description)) missing.push(path.join('.'));
    },
    leave: (node: ASTNode) => {
      if (node.kind.endsWith('Definition') && 'name' in node && node.name) path.pop();
    },
  });
  return missing.map((name) => `${name} has no description`);
}

/** Finds mutations that return new objects of a list without their edges, which Relay needs to append them. */
function findMissingEdges(document: DocumentNode): string[] {
  const schema = buildASTSchema(document);
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  return mutations
    .filter(({ name }) => /^(create|book|place|order|sell|invite|claim|close)/.test(name))
    .flatMap(({ name, type }) => {
      const payload = getNamedType(type);
      if (!isObjectType(payload)) return [];
      const fields = Object.values(payload.getFields());
      const types = fields.map((field) => getNamedType(field.type).name);
      return types
        .filter((node) => schema.getType(`${node}Connection`) && !types.includes(`${node}Edge`))
        .map((node) => `${payload.name} has no edge of ${node}: ${name} needs "creates"`);
    });
}
