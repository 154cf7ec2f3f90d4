import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import {
  createManyKeys,
  DEEP_LIST,
  fillList,
  HEAVY_BYTES,
  type HeavyRequest,
  LONG_NUMBER,
  postJson,
} from './heavy-request.ts';
import { createSlowTexts, FEW_UNITS } from './slow-texts.ts';

/** Returns an id that exists, by the name of the field or argument and of the operation. */
export type FindId = (name: string, operation: string) => string;

const TEXTS = createSlowTexts(HEAVY_BYTES);
const LONG_KEY = 'k'.repeat(HEAVY_BYTES);
const MANY_KEYS = createManyKeys();

/**
 * Every root field of the schema with every argument and every field of its input types, also below others: each gets long
 * texts, lists, unknown keys and nested values, while everything else that is required is valid.
 */
export function createVariableRequests(
  schema: GraphQLSchema,
  findId: FindId,
  headers: Record<string, string>,
): HeavyRequest[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return roots.flatMap((root) =>
    Object.values(root?.getFields() ?? {}).flatMap((field) => {
      const kind = root?.name.toLowerCase() ?? '';
      const query = writeDocument(kind, field);
      const minimal = (name: string, type: GraphQLInputType) =>
        createMinimalValue(name, type, (id) => findId(id, field.name));
      const required = Object.fromEntries(
        field.args
          .filter(({ type }) => isNonNullType(type))
          .map((arg) => [arg.name, minimal(arg.name, arg.type)]),
      );
      const accept: Record<string, string> =
        kind === 'subscription' ? { accept: 'text/event-stream' } : {};
      return field.args.flatMap((arg) =>
        createHeavyValues(arg, minimal).map(([what, createValue]) =>
          postJson(
            `${field.name}(${arg.name}${what})`,
            '/graphql',
            () => ({ query, variables: { ...required, [arg.name]: createValue() } }),
            { ...headers, ...accept },
          ),
        ),
      );
    }),
  );
}

function writeDocument(kind: string, { name, args, type }: GraphQLField<unknown, unknown>): string {
  const definitions = args.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
  const values = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const selection = isCompositeType(getNamedType(type)) ? ' { __typename }' : '';
  return args.length === 0
    ? `${kind} { ${name}${selection} }`
    : `${kind} (${definitions}) { ${name}(${values})${selection} }`;
}

type CreateValue = (name: string, type: GraphQLInputType) => unknown;

const VALID_TEXTS: [name: RegExp, value: string][] = [
  [/email/i, 'someone@example.org'],
  [/currency/i, 'EUR'],
  [/timeZone/i, 'Europe/Berlin'],
  [/url/i, 'https://example.org/hook'],
  [/slug/i, 'some-slug'],
  [/rule/i, 'FREQ=WEEKLY;COUNT=3'],
  [/password/i, 'correct horse battery'],
];

function createMinimalValue(
  name: string,
  nonNull: GraphQLInputType,
  findId: (name: string) => string,
): unknown {
  const type = getNullableType(nonNull);
  if (isListType(type)) return [createMinimalValue(name, type.ofType, findId)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type))
    return Object.fromEntries(
      Object.values(type.getFields())
        .filter((field) => isNonNullType(field.type) && field.defaultValue === undefined)
        .map((field) => [field.name, createMinimalValue(field.name, field.type, findId)]),
    );
  switch (type.name) {
    case 'Int':
    case 'Float':
      return 1;
    case 'Boolean':
      return true;
    case 'ID':
      return findId(name);
    case 'Date':
      return '2026-04-01';
    case 'DateTime':
      return /end|to$/i.test(name) ? '2026-04-01T11:00:00Z' : '2026-04-01T10:00:00Z';
    default:
      return VALID_TEXTS.find(([pattern]) => pattern.test(name))?.[1] ?? 'some text';
  }
}

/** The value is created when it is sent, because all of them would not fit into memory. */
type HeavyValue = [what: string, createValue: () => unknown];

/** A few of the texts are enough where a value is never parsed as text. */
const FEW_TEXTS = TEXTS.filter(([name]) => FEW_UNITS.includes(name));

const WRONG_KINDS: HeavyValue[] = [
  [': a deep list', () => DEEP_LIST],
  [': an object with many keys', () => MANY_KEYS],
];

function createHeavyValues(
  { name, type: nonNull }: Pick<GraphQLArgument | GraphQLInputField, 'name' | 'type'>,
  minimal: CreateValue,
): HeavyValue[] {
  const type = getNullableType(nonNull);
  if (isListType(type)) {
    const below = createHeavyValues({ name, type: type.ofType }, minimal);
    return [
      ...WRONG_KINDS,
      [': many valid items', () => fillList(minimal(name, type.ofType))],
      [': many wrong items', () => fillList('')],
      [': many lists', () => fillList([])],
      [': many objects', () => fillList({})],
      [': many nulls', () => fillList(null)],
      [': many different items', () => Array.from({ length: 20_000 }, (_, n) => `i${n}`)],
      ...below.map(([what, create]): HeavyValue => [`[0]${what}`, () => [create()]]),
    ];
  }
  if (isInputObjectType(type)) {
    const valid = minimal(name, type) as object;
    return [
      ...WRONG_KINDS,
      [': many unknown keys', () => ({ ...valid, ...MANY_KEYS })],
      [': a long unknown key', () => ({ ...valid, [LONG_KEY]: 1 })],
      [': a text', () => LONG_KEY],
      ...Object.values(type.getFields()).flatMap((field) =>
        createHeavyValues(field, minimal).map(
          ([what, create]): HeavyValue => [
            `.${field.name}${what}`,
            () => ({ ...valid, [field.name]: create() }),
          ],
        ),
      ),
    ];
  }
  const isNumber = type.name === 'Int' || type.name === 'Float';
  const texts = type.name === 'String' ? TEXTS : FEW_TEXTS;
  return [
    ...WRONG_KINDS,
    ...(isNumber ? [[': many digits', () => LONG_NUMBER] as HeavyValue] : []),
    ...texts.map(([text, value]): HeavyValue => [`: ${text}`, () => value]),
  ];
}
