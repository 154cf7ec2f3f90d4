import type { GraphQLObjectType } from 'graphql';
import type { Viewer } from '../../../src/auth/viewer.ts';
import type { ListExtension } from '../../../src/graphql/list-fields.ts';
import { schema } from '../../../src/graphql/schema.ts';
import type { Credential, GraphqlResponse } from '../clients/api.ts';
import type { TestApp } from '../harness/app.ts';
import {
  type Arguments,
  countFields,
  getObjectType,
  MAX_FIELDS,
  selectValue,
  writeDocuments,
} from './documents.ts';
import type { Findings } from './findings.ts';

interface ErrorPath {
  path?: (string | number)[];
}

export interface WalkCaller {
  viewer: Viewer;
  credential: Credential;
}

const MAX_ROUNDS = 6;
const MAX_ROWS = 30;

/** Reads everything that a caller can read through GraphQL, once by resolvers and once by plan. */
export async function walkGraphql(
  app: TestApp,
  caller: WalkCaller,
  { args, maxSteps }: { args: Arguments; maxSteps?: number },
  findings: Findings,
): Promise<void> {
  const send = async (text: string) => {
    const response = await app.graphql(text, {}, caller.credential);
    findings.addHeaders(response.headers, text);
    for (const error of response.errors as (GraphqlResponse['errors'][number] & ErrorPath)[]) {
      findings.addText(JSON.stringify([error.message, error.extensions]), `an error of ${text}`);
      // An error without a path is about the whole document, so that nothing was read.
      if (error.path === undefined || error.extensions.code === 'INTERNAL')
        throw new Error(`${error.message} ${JSON.stringify(error.extensions)} for ${text}`);
    }
    findings.addData(response.data, 'Query');
    return response;
  };

  const denied = new Set<string>();
  let open = writeDocuments(caller.viewer, args, denied, maxSteps);
  for (let round = 0; open.length > 0; round += 1) {
    if (round === MAX_ROUNDS) throw new Error(`rejected again and again: ${open[0]?.text}`);
    const known = denied.size;
    const rejected = new Set<string>();
    for (const { text, groups } of open) {
      const response = await send(text);
      const paths = listDenied(response);
      if (paths.length === 0) await send(text);
      for (const path of paths) denied.add(path);
      if (paths.length > 0) for (const { key } of groups) rejected.add(key);
    }
    open =
      denied.size === known
        ? []
        : writeDocuments(caller.viewer, args, denied, maxSteps).filter(({ groups }) =>
            groups.some(({ key }) => rejected.has(key)),
          );
  }
  for (const text of await writeNodeDocuments(app)) {
    await send(text);
    await send(text);
  }
}

/** The paths of the fields that the caller must not select, without positions and pages. */
const listDenied = ({ errors, codes }: GraphqlResponse): string[] =>
  (errors as ErrorPath[]).flatMap(({ path }, n) =>
    codes[n] === 'FORBIDDEN' || codes[n] === 'UNAUTHENTICATED'
      ? [(path ?? []).filter((key) => typeof key === 'string' && key !== 'nodes').join('.')]
      : [],
  );

const listRoots = () => Object.values(schema.getQueryType()?.getFields() ?? {});

/** Documents that read rows of every type by their ids, with the fields that need no other row. */
async function writeNodeDocuments(app: TestApp): Promise<string[]> {
  const documents: { selections: string[]; size: number }[] = [];
  for (const [n, { type, extensions }] of listRoots().entries()) {
    const { list } = extensions as { list?: ListExtension };
    const node = getObjectType(type);
    if (list === undefined || node === undefined) continue;
    const selection = `{ __typename ... on ${node.name} { ${listScalars(node)} } }`;
    const rows = await app.ctx.db.$queryRawUnsafe<{ id: string }[]>(
      `SELECT id FROM ${list.list.table} ORDER BY id DESC LIMIT ${MAX_ROWS}`,
    );
    const ids = rows.map(({ id }) => `"${id}"`);
    if (documents.length === 0) documents.push(toDocument(`node(id: ${ids[0]}) ${selection}`));
    // Fields of two types can have the same name and another type, so that each type has an alias.
    const added = toDocument(`nodes${n}: nodes(ids: [${ids.join()}]) ${selection}`);
    const last = documents.at(-1);
    if (last === undefined || last.size + added.size > MAX_FIELDS) documents.push(added);
    else {
      last.selections.push(...added.selections);
      last.size += added.size;
    }
  }
  return documents.map(({ selections }) => `{ ${selections.join(' ')} }`);
}

const toDocument = (selection: string) => ({
  selections: [selection],
  size: countFields(selection.replace(/"[^"]*"/g, '')),
});

/** The fields of a type that need no arguments and no scope of their own. */
function listScalars(type: GraphQLObjectType): string {
  return Object.values(type.getFields())
    .filter(({ args }) => args.length === 0)
    .filter(
      ({ extensions }) =>
        (extensions.pothosOptions as { authScopes?: unknown })?.authScopes === undefined,
    )
    .flatMap(({ name, type: output }) => {
      const target = getObjectType(output);
      if (target === undefined) return [name];
      const below = selectValue(target);
      return below === null ? [] : [`${name} ${below}`];
    })
    .join(' ');
}
