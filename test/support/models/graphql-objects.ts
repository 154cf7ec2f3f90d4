import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
} from 'graphql';
import { toPascalCase, toSnakeCase } from '../../../src/core/letter-case.ts';
import { OBJECTS, type ObjectName } from '../../../src/objects/object-table.ts';
import type { Credential } from '../clients/api.ts';
import type { TestApp } from '../harness/app.ts';
import { readPublishedSchema } from '../harness/worker/published-schema.ts';

type Fields = Record<string, unknown>;

/** Types that are not called as the subject in the journal. GraphQL does not show email opt-outs. */
const NAMES: Partial<Record<ObjectName, string>> = {
  check_in: 'CheckInAttempt',
  staff: 'StaffUser',
};

const findType = (type: ObjectName) =>
  readPublishedSchema().getType(NAMES[type] ?? toPascalCase(type)) as GraphQLObjectType | undefined;

/** Which part of a field both APIs show alike: the field, its amount, or its id. Undefined for others. */
function selectPart(field: GraphQLField<unknown, unknown>): string | undefined {
  if (field.args.some(isRequiredArgument)) return undefined;
  const named = getNamedType(field.type);
  if (isScalarType(named) || isEnumType(named)) return field.name;
  const isList = isListType(getNullableType(field.type));
  if (!isObjectType(named) || isList) return undefined;
  if (named.name === 'Money') return `${field.name} { amount currency }`;
  return named.getInterfaces().some(({ name }) => name === 'Node')
    ? `${field.name} { id }`
    : undefined;
}

/** Lists the fields of a type that both APIs have. */
function listSharedFields(type: ObjectName) {
  const inRest = Object.keys(OBJECTS[type].schema.shape);
  return Object.values(findType(type)?.getFields() ?? {}).flatMap((field) => {
    const part = selectPart(field);
    const name = toSnakeCase(field.name);
    return part !== undefined && inRest.includes(name) ? [{ field, part, name }] : [];
  });
}

/** Reads objects through GraphQL, with the names of REST. Empty if GraphQL does not have the type. */
export async function readObjects(app: TestApp, type: ObjectName, ids: string[], as: Credential) {
  const fields = listSharedFields(type);
  if (fields.length === 0 || ids.length === 0) return [];
  const parts = fields.map(({ part }) => part).join(' ');
  const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ${findType(type)} { ${parts} } } }`;
  const { data, errors } = await app.graphql(query, { ids }, as);
  if (errors.length > 0) throw new Error(`${query}: ${JSON.stringify(errors)}`);
  return (data.nodes as (Fields | null)[]).map(
    (node) => node && Object.fromEntries(fields.map(({ field, name }) => [name, node[field.name]])),
  );
}

/** A value as both APIs can show it: names of enums in small letters, times in milliseconds, and of objects only what both have. */
export function toComparable(value: unknown, other: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => toComparable(item, null));
  if (typeof value === 'object' && value !== null) {
    const { amount, currency, id } = value as Fields;
    if (currency !== undefined) return { amount, currency };
    // The discount of an order has a code beside its amount.
    return amount ?? (typeof other === 'string' ? id : { id });
  }
  if (typeof value !== 'string') return value;
  return /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value).getTime() : value.toLowerCase();
}
