import { isRequiredArgument, Kind, parse, print } from 'graphql';
import * as generated from '../../packages/client/src/generated/operations.ts';
import { unkeyedMutations } from '../../packages/client/src/generated/unkeyed-mutations.ts';
import {
  type ClientOperation,
  listClientOperations,
  listUnkeyedMutations,
} from '../../prisma/scripts/client-operations.ts';
import { MAX_LIMIT } from '../../src/core/pagination.ts';
import type { Entry } from '../support/authorization-matrix/callers.ts';
import { MUTATIONS, QUERIES } from '../support/authorization-matrix/fields.ts';
import type { Credential } from '../support/clients/api.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';

// The documents of the client package, sent to a running service.

const operations = listClientOperations();
const ENTRIES: Record<string, Entry> = { ...QUERIES, ...MUTATIONS };

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

it('are generated anew after each change of the schema', () => {
  const texts = operations.map(({ field, text }) => [field.name, text]);
  expect({ ...generated }).toEqual(Object.fromEntries(texts));
  expect(unkeyedMutations).toEqual(listUnkeyedMutations());
});

it('exist for each query and each mutation', () => {
  const fields = operations.map(({ kind, field }) => `${kind}.${field.name}`);
  const expected = Object.keys(ENTRIES).map((key) =>
    key.replace(/^[QM]/, (letter) => letter.toLowerCase()),
  );
  expect(fields.sort()).toEqual(expected.sort());
});

it('are within all limits, and need no scope but that of their field', async () => {
  const rejected: unknown[] = [];
  for (const operation of operations) {
    const as = await getCredential(getEntry(operation));
    const { errors } = await app.graphql(withArguments(operation), { first: MAX_LIMIT }, as);
    for (const { message, extensions } of errors)
      if (REJECTIONS.includes(String(extensions.reason)))
        rejected.push([operation.field.name, message]);
  }
  expect(rejected).toEqual([]);
});

/** Other reasons come from the arguments of the authorization matrix: unknown ids and wrong secrets. */
const REJECTIONS = ['INVALID_QUERY', 'QUERY_TOO_COMPLEX', 'MISSING_SCOPE', 'MANAGER_NEEDED'];

const getEntry = ({ kind, field }: ClientOperation) =>
  ENTRIES[`${kind === 'query' ? 'Query' : 'Mutation'}.${field.name}`] as Entry;

/** One for each scope, because no request here ends a token. */
const tokens = new Map<string, string>();
async function getCredential({ scope, allowed }: Entry): Promise<Credential> {
  if (scope === undefined)
    return allowed.includes('anonymous') ? {} : { cookie: await app.signIn(STAFF.owner) };
  const token = tokens.get(scope) ?? (await app.token(scope));
  tokens.set(scope, token);
  return { token };
}

/** Returns the text. If the field needs arguments, they are those of the authorization matrix, and there are no variables. */
function withArguments(operation: ClientOperation): string {
  const { kind, field, text } = operation;
  if (!field.args.some(isRequiredArgument)) return text;
  const [given] = getRootFields(getEntry(operation).request);
  const [selected] = getRootFields(text);
  if (given === undefined || selected === undefined) throw new Error(`no field: ${text}`);
  return `${kind} { ${print({ ...selected, arguments: given.arguments ?? [] })} }`;
}

const getRootFields = (text: string) =>
  parse(text).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? definition.selectionSet.selections.filter((selection) => selection.kind === Kind.FIELD)
      : [],
  );
