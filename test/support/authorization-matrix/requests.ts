import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { schema } from '../../../src/graphql/schema.ts';
import { UNKNOWN_ID } from './callers.ts';

/** Values that no operation accepts, or that name nothing, by the name of their type. */
const SCALARS: Record<string, string> = {
  ID: `"${UNKNOWN_ID}"`,
  String: '" "',
  Int: '0',
  Float: '0',
  Boolean: 'false',
  DateTime: '"2026-04-01T09:00:00Z"',
  Date: '"2026-04-01"',
};

function createValue(type: GraphQLInputType): string {
  if (isNonNullType(type)) return createValue(type.ofType);
  if (isListType(type)) return `[${createValue(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? '';
  if (!isInputObjectType(type)) return SCALARS[type.name] ?? '" "';
  const fields = Object.values(type.getFields());
  // Of inputs that need exactly one of their fields, the first one.
  const given = type.isOneOf
    ? fields.slice(0, 1)
    : fields.filter((field) => isNonNullType(field.type));
  return `{ ${given.map(({ name, type }) => `${name}: ${createValue(type)}`).join(', ')} }`;
}

/** Gives the arguments that are required, and of lists the number of rows. Subscriptions get all of them, so that none stays open. */
function createArguments(
  { args }: GraphQLField<unknown, unknown>,
  isSubscription: boolean,
): string {
  const given = args.flatMap(({ name, type }) => {
    if (name === 'first') return ['first: 1'];
    return isSubscription || isNonNullType(type) ? [`${name}: ${createValue(type)}`] : [];
  });
  return given.length > 0 ? `(${given.join(', ')})` : '';
}

/** Of fields whose callers depend on an optional argument. */
const SPECIAL_ARGUMENTS: Record<string, string> = {
  'Query.emailPreferences': '(secret: "none")',
  'Mutation.updateEmailPreferences': '(input: { secret: "none", receivesReminders: true })',
  'Mutation.createCalendarFeed': `(input: { memberId: "${UNKNOWN_ID}" })`,
};

/**
 * Creates a request of a root field, such as `Mutation.createBooking`, with everything that it requires and nothing else. It changes
 * nothing if it is allowed: its IDs are unknown and its texts blank.
 */
export function createRequest(operation: string): string {
  const [root = '', name = ''] = operation.split('.');
  const type = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].find(
    (type) => type?.name === root,
  );
  const field = type?.getFields()[name];
  if (!field) throw new Error(`unknown operation: ${operation}`);
  const given = SPECIAL_ARGUMENTS[operation] ?? createArguments(field, root === 'Subscription');
  const selection =
    isObjectType(getNamedType(field.type)) || 'getTypes' in getNamedType(field.type)
      ? ' { __typename }'
      : '';
  return `${root.toLowerCase()} { ${name}${given}${selection} }`;
}
