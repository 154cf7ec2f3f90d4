import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLSchema } from 'graphql';

const FILE = new URL('../../../../schema.graphql', import.meta.url);

let schema: GraphQLSchema | undefined;

/** The schema of `schema.graphql`. It takes long to build, so all test files of a worker share it. */
export function readPublishedSchema(): GraphQLSchema {
  schema ??= buildSchema(readFileSync(FILE, 'utf8'), { noLocation: true, assumeValid: true });
  return schema;
}
