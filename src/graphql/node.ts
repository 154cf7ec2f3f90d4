import { assertInterfaceType, type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import { z } from 'zod';
import { type Access, hasAccess } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { uuid } from '../core/validation.ts';
import { createParameters, prepareListStatement } from '../db/prepared-statement.ts';
import { DomainError } from '../errors.ts';
import type { RowSource } from '../lists/row-list.ts';
import { builder, withArgs } from './builder.ts';
import type { ListExtension } from './list-fields.ts';
import type { ListLoaders } from './list-loaders.ts';
import { withCost } from './query-cost.ts';

const MAX_NODE_IDS = 100;

interface NodeValue {
  id: string;
  /** From it, GraphQL knows the type of an object that a field of an interface returns. */
  __typename?: string;
}

/** The types that have a list of their own, or the extension `node`. Each declares `interfaces: [Node]`. */
export const Node = builder.interfaceRef<NodeValue>('Node').implement({
  description: 'An object that node and nodes find by its id',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'Identifies the object, in both APIs and among all types',
    }),
  }),
});

/** How the objects of a type are found: in its list, with the access of the root field of the list. */
interface NodeType {
  list: NodeExtension['rows'];
  access: NodeExtension['access'];
}

/** The extension `node` of types that have no root field of their own that lists them, or that others can read by id too. */
export interface NodeExtension {
  // biome-ignore lint/suspicious/noExplicitAny: each list has its own filter
  rows: RowSource<any, any>;
  /** What callers need, or one of several. */
  access: Access | readonly Access[];
}

const nodeTypes = new Map<string, NodeType>();

/** Collects the types from the root fields that list them. @throws if they are not exactly those that declare Node */
export function collectNodeTypes(schema: GraphQLSchema): void {
  for (const { name, type, extensions } of Object.values(
    schema.getQueryType()?.getFields() ?? {},
  )) {
    const { list } = extensions as { list?: ListExtension };
    const connection = getNamedType(type);
    if (list === undefined || !isObjectType(connection)) continue;
    const { authScopes } = extensions.pothosOptions as { authScopes: { access: Access } };
    const node = getNamedType(connection.getFields().nodes?.type);
    if (node === undefined) throw new Error(`Query.${name} lists no nodes`);
    nodeTypes.set(node.name, { list: list.list, access: authScopes.access });
  }
  for (const { name, extensions } of Object.values(schema.getTypeMap())) {
    const { node } = extensions as { node?: NodeExtension };
    if (node !== undefined) nodeTypes.set(name, { list: node.rows, access: node.access });
  }
  const listed = [...nodeTypes.keys()].sort().join();
  const declared = schema
    .getPossibleTypes(assertInterfaceType(schema.getType('Node')))
    .map(({ name }) => name)
    .sort()
    .join();
  if (listed !== declared)
    throw new Error(`${listed} have lists, but ${declared} declare the interface Node`);
}

const nodeArgs = z.object({ id: uuid.meta({ description: 'The id of the object' }) });

const nodesArgs = z.object({
  ids: z.array(uuid).meta({ description: `The ids of the objects, at most ${MAX_NODE_IDS}` }),
});

builder.queryField('node', (t) =>
  t.field({
    type: Node,
    nullable: true,
    description:
      'Gets an object of any type by its id. null: there is none, or you cannot read it in the list of its type.',
    authScopes: { access: 'public' },
    ...withArgs(nodeArgs, ({ id }, { lists }) => loadNode(lists, id)),
  }),
);

builder.queryField('nodes', (t) =>
  t.field({
    type: t.listRef(Node, { nullable: true }),
    description:
      'Gets objects of any types by their ids, in the same order, with null where node would be null',
    authScopes: { access: 'public' },
    ...withCost({ itemsOf: 'ids' }),
    ...withArgs(nodesArgs, ({ ids }, { lists }) => {
      if (ids.length > MAX_NODE_IDS) {
        throw new DomainError(
          'BAD_REQUEST',
          `ids can contain at most ${MAX_NODE_IDS} ids, but there are ${ids.length}.`,
          { reason: 'INVALID_INPUT', fields: ['ids'], limit: MAX_NODE_IDS },
        );
      }
      return Promise.all(ids.map((id) => loadNode(lists, id)));
    }),
  }),
);

/** Loads an object that the viewer can see in the list of its type. */
async function loadNode({ loadRow }: ListLoaders, id: string): Promise<NodeValue | null> {
  const found = await loadRow(nodeLookup, id.toLowerCase());
  const type = found && nodeTypes.get(found.type);
  if (!type) return null;
  const row: { id: string } | null = await loadRow(type.list, found.id);
  return row && { ...row, __typename: found.type };
}

const nodeLookup = { findByIds: findTypes };

/** Finds the types of ids in one statement. Leaves out ids of rows that the viewer does not see. */
async function findTypes(ctx: Context, ids: string[]): Promise<{ id: string; type: string }[]> {
  const parameters = createParameters();
  const { values, bind } = parameters;
  const requested = bind(ids, 'uuid[]');
  const lookups = [...nodeTypes].flatMap(([type, { list, access }]) => {
    if (![access].flat().some((one) => hasAccess(ctx.viewer, one))) return [];
    const where = [
      `node.id = ANY (${requested})`,
      ...list.where('node', {}, { ...ctx, ...parameters }),
    ];
    return `SELECT node.id, '${type}' AS type FROM ${list.table} node WHERE ${where.join(' AND ')}`;
  });
  return ctx.pipelinedSql(prepareListStatement(lookups.join(' UNION ALL ')), values);
}
