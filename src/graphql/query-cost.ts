import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { MAX_QUERY_COST } from '../core/query-points.ts';
import { DomainError } from '../errors.ts';
import { toPageLimit } from '../lists/page.ts';
import { type ListExtension, toRelationArgs } from './list-fields.ts';
import type { Variables } from './variables.ts';

/** What the cost of a field depends on besides the items of its pages. */
export interface CostExtension {
  /** Points for work that the number of items does not show. */
  points?: number;
  /** How many items a list without pages counts as. */
  items?: number;
  /** The argument with one value for each item of the list, such as `ids`. */
  itemsOf?: string;
}

/** Returns the options of a field with a cost of its own. */
export const withCost = (cost: CostExtension) => ({ extensions: { cost } });

/** How many items a list without pages counts as, unless its field says otherwise. */
const DEFAULT_LIST_ITEMS = 5;

/**
 * The cost of a query: one point for each root field, and one for each item that its lists can return. `totalCount` and
 * `pageInfo` cost one point. Other objects and scalars are free. It contains only the fields with a cost.
 */
export type CostTree = Map<string, CostNode>;

interface CostNode {
  points: number;
  /** The most items that the list can return, or null for a field that is not a list of objects. */
  countItems: CountItems | null;
  fields: CostTree;
}

type CountItems = (variables: Variables) => number;

/** Collects what the cost of an operation depends on. The values of page sizes are applied later. */
export function buildCostTree(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): CostTree {
  const fragments = new Map(
    document.definitions.flatMap((definition): [string, FragmentDefinitionNode][] =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );

  /** Fields with the same key become one, so fragments that repeat a field cost nothing. */
  function addSelections(
    type: GraphQLNamedType | null | undefined,
    { selections }: SelectionSetNode,
    fields: CostTree,
    countPageItems: CountItems | null,
  ): void {
    for (const node of selections) {
      if (isSkipped(node, variables)) continue;
      if (node.kind === Kind.FIELD) {
        addField(type, node, fields, countPageItems);
        continue;
      }
      const fragment = node.kind === Kind.FRAGMENT_SPREAD ? fragments.get(node.name.value) : node;
      if (fragment === undefined) continue;
      const condition = fragment.typeCondition && schema.getType(fragment.typeCondition.name.value);
      addSelections(condition ?? type, fragment.selectionSet, fields, countPageItems);
    }
  }

  function addField(
    type: GraphQLNamedType | null | undefined,
    node: FieldNode,
    fields: CostTree,
    countPageItems: CountItems | null,
  ): void {
    const name = node.name.value;
    const definition =
      isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
    const key = node.alias?.value ?? name;
    const known = fields.get(key) ?? { points: 0, countItems: null, fields: new Map() };
    fields.set(key, known);
    if (definition === undefined) {
      known.points = Math.max(known.points, countIntrospectionPoints(node, variables, fragments));
      return;
    }
    const { list, cost = {} } = definition.extensions as {
      list?: ListExtension;
      cost?: CostExtension;
    };
    const readFirst = createArgumentReader(node, 'first');
    const readLast = createArgumentReader(node, 'last');
    const countRows: CountItems = (variables) => {
      const args = { first: readFirst(variables), last: readLast(variables) };
      return toPageLimit(list?.toCondition ? toRelationArgs(args) : args);
    };
    const points = countPageItems !== null && COUNTED_PAGE_FIELDS.has(name) ? 1 : 0;
    known.points = Math.max(known.points, cost.points ?? points);
    if (isObjectList(definition.type)) {
      const { items = DEFAULT_LIST_ITEMS, itemsOf } = cost;
      const given = node.arguments?.find(({ name }) => name.value === itemsOf)?.value;
      const countItems =
        countPageItems ??
        ((variables) =>
          readLast(variables) ?? readFirst(variables) ?? readLength(given, variables) ?? items);
      known.countItems = toLarger(known.countItems, countItems);
    }
    if (node.selectionSet) {
      const below = getNamedType(definition.type);
      const isPage = list !== undefined && below.name.endsWith('Connection');
      addSelections(below, node.selectionSet, known.fields, isPage ? countRows : null);
    }
  }

  const tree: CostTree = new Map();
  addSelections(schema.getRootType(operation.operation), operation.selectionSet, tree, null);
  for (const field of tree.values()) field.fields = removeFreeFields(field.fields);
  return tree;
}

/** The fields of a page besides its items. Each needs work of its own, and costs one point. */
const COUNTED_PAGE_FIELDS = new Set(['totalCount', 'pageInfo']);

/** How many items the lists of the introspection have: all types of the schema, and a usual number of the others. */
const INTROSPECTION_ITEMS: Record<string, number> = {
  types: 500,
  directives: 10,
  fields: 10,
  inputFields: 10,
  enumValues: 10,
  args: 3,
  interfaces: 1,
  possibleTypes: 30,
};
const INTROSPECTION_ITEMS_PER_POINT = 100;

/** Returns the points of `__schema` and `__type`. Its lists contain each other, so a short query can return millions of items. */
function countIntrospectionPoints(
  node: FieldNode,
  variables: Variables,
  fragments: Map<string, FragmentDefinitionNode>,
): number {
  function countItems({ selections }: SelectionSetNode): number {
    let count = 0;
    for (const node of selections) {
      if (isSkipped(node, variables)) continue;
      const target = node.kind === Kind.FRAGMENT_SPREAD ? fragments.get(node.name.value) : node;
      const below = target?.selectionSet ? countItems(target.selectionSet) : 0;
      const items = node.kind === Kind.FIELD ? INTROSPECTION_ITEMS[node.name.value] : undefined;
      count += items === undefined ? below : items * (1 + below);
    }
    return count;
  }
  if (node.selectionSet === undefined) return 0;
  return Math.ceil(countItems(node.selectionSet) / INTROSPECTION_ITEMS_PER_POINT);
}

function isSkipped(node: Parameters<typeof getDirectiveValues>[1], variables: Variables): boolean {
  if (!node.directives?.length) return false;
  return (
    getDirectiveValues(GraphQLSkipDirective, node, variables)?.if === true ||
    getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if === false
  );
}

function createArgumentReader({ arguments: args }: FieldNode, name: string) {
  const value = args?.find((arg) => arg.name.value === name)?.value;
  return (variables: Variables) => readNumber(value, variables);
}

function readNumber(value: ValueNode | undefined, variables: Variables): number | null {
  const given =
    value?.kind === Kind.VARIABLE
      ? variables[value.name.value]
      : value?.kind === Kind.INT
        ? Number(value.value)
        : null;
  return typeof given === 'number' ? given : null;
}

function readLength(value: ValueNode | undefined, variables: Variables): number | null {
  if (value?.kind === Kind.LIST) return value.values.length;
  const given = value?.kind === Kind.VARIABLE ? variables[value.name.value] : null;
  return Array.isArray(given) ? given.length : null;
}

function isObjectList(type: GraphQLOutputType): boolean {
  return (
    isListType(isNonNullType(type) ? type.ofType : type) && isCompositeType(getNamedType(type))
  );
}

/** Two types can have the same key with different lists. */
const toLarger = (one: CountItems | null, other: CountItems): CountItems =>
  one === null ? other : (variables) => Math.max(one(variables), other(variables));

function removeFreeFields(fields: CostTree): CostTree {
  const costly: CostTree = new Map();
  for (const [key, { points, countItems, fields: below }] of fields) {
    const node = { points, countItems, fields: removeFreeFields(below) };
    if (points > 0 || countItems !== null || node.fields.size > 0) costly.set(key, node);
  }
  return costly;
}

/** Returns the most that a query can cost with these variables. @throws BAD_REQUEST for a page size out of range. */
export function computeRequestedCost(tree: CostTree, variables: Variables): number {
  return tree.size + sumFields(tree, variables);
}

function sumFields(fields: CostTree, variables: Variables): number {
  let sum = 0;
  for (const { points, countItems, fields: below } of fields.values()) {
    const perObject = sumFields(below, variables);
    sum += points;
    sum += countItems === null ? perObject : Math.max(0, countItems(variables)) * (1 + perObject);
  }
  return sum;
}

/** Returns what a query has cost, from the `data` of its response. */
export const computeActualCost = (tree: CostTree, data: unknown): number =>
  tree.size + sumValue(tree, data);

function sumValue(fields: CostTree, value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let sum = 0;
  for (const [key, { points, countItems, fields: below }] of fields) {
    const found = (value as Record<string, unknown>)[key];
    if (found === undefined) continue;
    sum += points;
    if (countItems === null) sum += sumValue(below, found);
    else if (Array.isArray(found))
      for (const item of found) sum += 1 + (below.size === 0 ? 0 : sumValue(below, item));
  }
  return sum;
}

/** @throws BAD_REQUEST for a query that costs more than one query is allowed to. */
export function assertAffordable(requested: number): void {
  if (requested <= MAX_QUERY_COST) return;
  throw new DomainError(
    'BAD_REQUEST',
    `The query costs ${requested.toLocaleString('en')} points; at most ${MAX_QUERY_COST.toLocaleString('en')} are allowed. Request smaller pages or fewer lists.`,
    { reason: 'QUERY_TOO_COMPLEX', limit: MAX_QUERY_COST },
  );
}
