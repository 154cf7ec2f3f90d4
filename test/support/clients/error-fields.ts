import {
  type GraphQLInputType,
  getNamedType,
  getOperationAST,
  isInputObjectType,
  Kind,
  parse,
} from 'graphql';
import { FIELD_REASONS } from '../../../src/core/error-reasons.ts';
import { readPublishedSchema } from '../harness/worker/published-schema.ts';

interface GraphqlError {
  message: string;
  path?: readonly (string | number)[];
  extensions: { reason?: string; fields?: { field?: string }[] };
}

/**
 * Checks that errors about fields of the input name them, with the names that the input of the root field has.
 * Every error that a test causes is checked.
 */
export function assertErrorFields(query: string, errors: GraphqlError[]): void {
  for (const error of errors) {
    const { reason = '', fields = [] } = error.extensions ?? {};
    if (reason === 'INVALID_QUERY') continue; // names variables
    if (fields.length === 0 && (FIELD_REASONS as readonly string[]).includes(reason))
      throw new Error(`the error "${error.message}" (${reason}) names no field of the input`);
    const named = fields.flatMap(({ field }) => field ?? []);
    if (named.length === 0 || error.path?.length !== 1) continue;
    const inputs = findInputs(query, String(error.path[0]));
    const unknown = named.filter((field) => !inputs.some((input) => hasPath(input, field)));
    if (unknown.length > 0)
      throw new Error(
        `the error "${error.message}" (${reason}) names ${unknown}, which the input lacks`,
      );
  }
}

type Input = Record<string, GraphQLInputType>;

/** The arguments of a root field, and the fields of each of them. Errors name fields relative to one of these. */
function findInputs(query: string, key: string): Input[] {
  const schema = readPublishedSchema();
  const operation = getOperationAST(parse(query));
  const root = operation && schema.getRootType(operation.operation);
  const selected = operation?.selectionSet.selections.find(
    (node) => node.kind === Kind.FIELD && (node.alias ?? node.name).value === key,
  );
  const name = selected?.kind === Kind.FIELD ? selected.name.value : '';
  const args = root?.getFields()[name]?.args ?? [];
  const own = Object.fromEntries(args.map((arg) => [arg.name, arg.type]));
  return [own, ...args.map(({ type }) => toInput(type))];
}

function toInput(type: GraphQLInputType): Input {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return {};
  return Object.fromEntries(
    Object.values(named.getFields()).map((field) => [field.name, field.type]),
  );
}

function hasPath(input: Input, path: string): boolean {
  const [name = '', ...below] = path.split('.').filter((part) => !/^\d+$/.test(part));
  const type = input[name];
  if (type === undefined) return false;
  return below.length === 0 || hasPath(toInput(type), below.join('.'));
}
