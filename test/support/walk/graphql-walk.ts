import { type GraphQLObjectType, isObjectType } from 'graphql';
import type { Viewer } from '../../../src/auth/viewer.ts';
import type { ListExtension } from '../../../src/graphql/list-fields.ts';
import { MAX_NODE_IDS } from '../../../src/graphql/node.ts';
import { schema } from '../../../src/graphql/schema.ts';
import type { Credential, GraphqlResponse } from '../clients/api.ts';
import type { TestApp } from '../harness/app.ts';
import { type Arguments, getObjectType, isValue, writeDocuments } from './documents.ts';
import type { Findings } from './findings.ts';

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
    for (const { message, extensions } of response.errors)
      findings.addText(`error ${JSON.stringify([message, extensions])}`, text);
    if (response.codes.includes('INTERNAL')) throw new Error(`INTERNAL for ${text}`);
    findings.addData(response.data, 'Query', text);
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
  (errors as { path?: (string | number)[] }[]).flatMap(({ path }, n) =>
    codes[n] === 'FORBIDDEN' || codes[n] === 'UNAUTHENTICATED'
      ? [(path ?? []).filter((key) => typeof key === 'string' && key !== 'nodes').join('.')]
      : [],
  );

const listRoots = () => Object.values(schema.getQueryType()?.getFields() ?? {});

/** Documents that read rows of every type by their ids, with the fields that need no other row. */
async function writeNodeDocuments(app: TestApp): Promise<string[]> {
  const parts = [1, 2].map(() => ({ ids: [] as string[], fragments: [] as string[] }));
  for (const [position, { type, extensions }] of listRoots().entries()) {
    const { list } = extensions as { list?: ListExtension };
    const node = getObjectType(type);
    const part = parts[position % parts.length];
    if (list === undefined || node === undefined || part === undefined) continue;
    part.fragments.push(`... on ${node.name} { ${listScalars(node)} }`);
    const rows = await app.ctx.db.$queryRawUnsafe<{ id: string }[]>(
      `SELECT id FROM ${list.list.table} ORDER BY id DESC LIMIT ${MAX_ROWS}`,
    );
    part.ids.push(...rows.map(({ id }) => `"${id}"`));
  }
  return parts.flatMap(({ ids, fragments }) => {
    const selection = `{ __typename ${fragments.join(' ')} }`;
    const pages = Array.from({ length: Math.ceil(ids.length / MAX_NODE_IDS) }, (_, page) =>
      ids.slice(page * MAX_NODE_IDS, (page + 1) * MAX_NODE_IDS),
    );
    return [
      `{ node(id: ${ids[0]}) ${selection} }`,
      ...pages.map((page) => `{ nodes(ids: [${page.join()}]) ${selection} }`),
    ];
  });
}

/** The fields of a type that need no arguments and no scope of their own. */
function listScalars(type: GraphQLObjectType): string {
  return Object.values(type.getFields())
    .filter(({ args }) => args.length === 0)
    .filter(({ extensions }) => (extensions.pothosOptions as { authScopes?: unknown })?.authScopes === undefined)
    .flatMap(({ name, type: output }) => {
      const target = getObjectType(output);
      if (target === undefined) return [name];
      return isObjectType(target) && isValue(target)
        ? [`${name} { ${Object.keys(target.getFields()).join(' ')} }`]
        : [];
    })
    .join(' ');
}
