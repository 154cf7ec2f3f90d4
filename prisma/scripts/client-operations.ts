import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  getOperationAST,
  isLeafType,
  isListType,
  isObjectType,
  parse,
} from 'graphql';
import type { Access } from '../../src/auth/viewer.ts';
import { MAX_LIMIT } from '../../src/core/pagination.ts';
import { MAX_QUERY_COST } from '../../src/core/query-points.ts';
import { getFieldAccess } from '../../src/graphql/field-access.ts';
import { buildCostTree, computeRequestedCost } from '../../src/graphql/query-cost.ts';
import { schema } from '../../src/graphql/schema.ts';

type Field = GraphQLField<unknown, unknown>;

/** What identifies a related object to people. */
const REFERENCE_FIELDS = ['id', 'name', 'title'];
/** How deep values are in each other. */
const MAX_VALUE_DEPTH = 4;

/** How much of an object is selected: what identifies it, its values, or also the objects that belong to it. */
type Extent = 'reference' | 'values' | 'related' | 'complete';

export interface ClientOperation {
  kind: 'query' | 'mutation';
  field: Field;
  text: string;
}

/**
 * Lists a document for each query and mutation. It selects what everyone can read who can use the field, and no page of it costs
 * more than a query may.
 */
export function listClientOperations(): ClientOperation[] {
  return [
    ...listFields('query').map((field) => toOperation('query', field)),
    ...listFields('mutation').map((field) => toOperation('mutation', field)),
  ];
}

/** Lists the mutations that run again if a request is repeated with the same idempotency key. */
export const listUnkeyedMutations = (): string[] =>
  listFields('mutation')
    .filter(({ extensions }) => getOptions(extensions).ignoresIdempotencyKey === true)
    .map(({ name }) => name);

const getOptions = (extensions: Field['extensions']) =>
  (extensions.pothosOptions ?? {}) as { ignoresIdempotencyKey?: true };

function listFields(kind: ClientOperation['kind']): Field[] {
  const type = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  return Object.values(type?.getFields() ?? {}).filter(isCurrent);
}

function toOperation(kind: ClientOperation['kind'], field: Field): ClientOperation {
  const args = field.args.filter(isCurrent);
  const variables = toList(args.map(({ name, type }) => `$${name}: ${type}`));
  const values = toList(args.map(({ name }) => `${name}: $${name}`));
  const toText = (extent: Extent) =>
    `${kind} ${capitalize(field.name)}${variables} { ${field.name}${values}${selectRoot(field, extent)} }`;
  const complete = toText('complete');
  return { kind, field, text: isAffordable(complete) ? complete : toText('related') };
}

const toList = (parts: string[]) => (parts.length === 0 ? '' : `(${parts.join(', ')})`);

export const capitalize = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const isCurrent = ({ deprecationReason }: { deprecationReason?: string | null | undefined }) =>
  deprecationReason === undefined || deprecationReason === null;

/** Whether even the largest page can be requested. */
function isAffordable(text: string): boolean {
  const document = parse(text);
  const operation = getOperationAST(document);
  if (!operation) throw new Error(`No operation: ${text}`);
  const variables = { first: MAX_LIMIT };
  const tree = buildCostTree(schema, document, operation, variables);
  return computeRequestedCost(tree, variables) <= MAX_QUERY_COST;
}

function selectRoot(field: Field, extent: Extent): string {
  const type = getNamedType(field.type);
  if (isLeafType(type)) return '';
  if (!isObjectType(type)) return ' { __typename id }';
  const access = getFieldAccess(field)?.access ?? 'public';
  const { nodes, pageInfo } = type.getFields();
  if (nodes === undefined || pageInfo === undefined) return selectObject(type, extent, access);
  const node = getNamedType(nodes.type) as GraphQLObjectType;
  return ` { nodes${selectObject(node, extent, access)} pageInfo { hasNextPage endCursor } }`;
}

function selectObject(type: GraphQLObjectType, extent: Extent, access: Access, depth = 0): string {
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const selection = isSelected(field, extent, access)
      ? selectField(type, field, extent, access, depth)
      : null;
    return selection === null ? [] : [field.name + selection];
  });
  return fields.length === 0 ? ' { __typename }' : ` { ${fields.join(' ')} }`;
}

function isSelected(field: Field, extent: Extent, access: Access): boolean {
  if (field.args.length > 0 || !isCurrent(field) || field.extensions.cost !== undefined)
    return false;
  if (extent === 'reference' && !REFERENCE_FIELDS.includes(field.name)) return false;
  const needed = getFieldAccess(field);
  if (needed === null || needed.access === 'public' || needed.access === access) return true;
  return needed.dependsOnRow && access === 'signed-in';
}

/** Returns null for what the selection leaves out: lists with pages, and what buttons are shown. */
function selectField(
  parent: GraphQLObjectType,
  { type: fieldType }: Field,
  extent: Extent,
  access: Access,
  depth: number,
): string | null {
  const type = getNamedType(fieldType);
  if (isLeafType(type)) return '';
  if (!isObjectType(type) || /(Connection|Edge|Actions)$/.test(type.name)) return null;
  const isList = isListType(getNullableType(fieldType));
  if (parent.name.endsWith('Payload'))
    return selectObject(type, isList ? 'related' : extent, access);
  if (type.getFields().id === undefined)
    return depth < MAX_VALUE_DEPTH ? selectObject(type, extent, access, depth + 1) : null;
  if (extent === 'values') return null;
  if (!isList) return selectObject(type, 'reference', access);
  return extent === 'complete' ? selectObject(type, 'values', access) : null;
}
