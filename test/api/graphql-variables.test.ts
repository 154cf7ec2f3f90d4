import { type GraphQLError, getOperationAST, getVariableValues, parse } from 'graphql';
import { createYoga } from 'graphql-yoga';
import { MAX_INPUT_LEVELS, MAX_INPUT_VALUES } from '../../src/core/input-size.ts';
import { createInlineValuesPlugin } from '../../src/graphql/inline-values.ts';
import { schema } from '../../src/graphql/schema.ts';
import { coerceVariables, MAX_VARIABLE_ERRORS } from '../../src/graphql/variables.ts';

const SECRET = 'correct horse battery';

function coerce(definitions: string, variables: Record<string, unknown>) {
  const operation = getOperationAST(parse(`query (${definitions}) { __typename }`));
  if (!operation) throw new Error('the document has no operation');
  const { coerced, errors = [] } = coerceVariables(schema, operation, variables);
  const expected = getVariableValues(schema, operation.variableDefinitions ?? [], variables, {
    maxErrors: 1,
  });
  return { coerced, messages: errors.map(({ message }) => message), expected };
}

describe('valid variables', () => {
  it.each<[definitions: string, variables: Record<string, unknown>]>([
    ['$n: Int', { n: 3 }],
    ['$n: Int', {}],
    ['$n: Int = 4', {}],
    ['$n: Int = 4', { n: null }],
    ['$n: Float, $s: String!, $b: Boolean', { n: 1.5, s: 'x', b: true }],
    ['$ids: [ID!]!', { ids: ['a', 2] }],
    ['$ids: [ID!]!', { ids: 'a' }],
    ['$o: MemberOrder', { o: 'NAME_ASC' }],
    ['$d: Date, $t: DateTime', { d: '2026-01-31', t: '2026-01-31T09:00:00Z' }],
    ['$f: EventFilter', { f: { q: 'house', from: null } }],
    ['$n: Int', { n: 1, other: { a: [1] } }],
  ])('are coerced as graphql-js does: %s %j', (definitions, variables) => {
    const { coerced, expected } = coerce(definitions, variables);
    expect(coerced).toEqual(expected.coerced);
    expect(coerced).toBeDefined();
  });
});

describe('an invalid variable', () => {
  it.each<[definitions: string, value: unknown, message: string]>([
    ['$v: Int', SECRET, 'Variable "$v" is invalid: Int cannot represent non-integer value.'],
    [
      '$v: Int',
      1e20,
      'Variable "$v" is invalid: Int cannot represent non 32-bit signed integer value.',
    ],
    [
      '$v: String',
      [SECRET],
      'Variable "$v" is invalid: String cannot represent a non string value.',
    ],
    [
      '$v: Boolean',
      SECRET,
      'Variable "$v" is invalid: Boolean cannot represent a non boolean value.',
    ],
    ['$v: ID', { a: SECRET }, 'Variable "$v" is invalid: ID cannot represent value.'],
    ['$v: Float', SECRET, 'Variable "$v" is invalid: Float cannot represent non numeric value.'],
    ['$v: MemberOrder', SECRET, 'Variable "$v" is invalid: does not exist in "MemberOrder" enum.'],
    [
      '$v: MemberOrder',
      `${SECRET}" does not exist in "x`,
      'Variable "$v" is invalid: does not exist in "MemberOrder" enum.',
    ],
    [
      '$v: MemberOrder',
      [SECRET],
      'Variable "$v" is invalid: Enum "MemberOrder" cannot represent non-string value.',
    ],
    [
      '$v: DateTime',
      SECRET,
      'Variable "$v" is invalid: must be an RFC 3339 time such as 2026-01-31T09:00:00Z.',
    ],
    ['$v: Date', SECRET, 'Variable "$v" is invalid: must be a real date such as 2026-01-31.'],
    ['$v: Int!', null, 'Variable "$v" of non-null type "Int!" must not be null.'],
    ['$v: Int!', undefined, 'Variable "$v" of required type "Int!" was not provided.'],
    [
      '$v: [ID!]',
      ['a', null],
      'Variable "$v" is invalid: at "v[1]"; Expected non-nullable type "ID!" not to be null.',
    ],
    [
      '$v: EventFilter',
      SECRET,
      'Variable "$v" is invalid: Expected type "EventFilter" to be an object.',
    ],
    [
      '$v: EventFilter',
      { pass: SECRET },
      'Variable "$v" is invalid: Field "pass" is not defined by type "EventFilter".',
    ],
    [
      '$v: EventFilter',
      { from: SECRET },
      'Variable "$v" is invalid: at "v.from"; must be an RFC 3339 time such as 2026-01-31T09:00:00Z.',
    ],
    [
      '$v: CancelBookingInput!',
      { reason: SECRET },
      'Variable "$v" is invalid: Field "id" of required type "ID!" was not provided.',
    ],
  ])('gets a message without its value: %s %j', (definitions, value, message) => {
    const { messages, expected } = coerce(definitions, value === undefined ? {} : { v: value });
    expect(messages[0]).toBe(message);
    expect(messages.join()).not.toContain(SECRET);
    expect(expected.errors).toBeDefined();
  });

  it('with many errors gets the first of them', () => {
    const { messages } = coerce('$ids: [Int!]!', { ids: Array.from({ length: 40 }, () => 'x') });
    expect(messages).toHaveLength(MAX_VARIABLE_ERRORS + 1);
    expect(messages.at(-1)).toContain(`more than ${MAX_VARIABLE_ERRORS} errors`);
  });

  it('quotes long names of fields in part', () => {
    const { messages } = coerce('$f: EventFilter', { f: { ['x'.repeat(10_000)]: 1 } });
    expect(messages[0]).toMatch(
      /^Variable "\$f" is invalid: Field "x{100}…" is not defined by type "EventFilter"\.$/,
    );
  });
});

it('are coerced once for all parts of a request', () => {
  const operation = getOperationAST(parse('query ($ids: [ID!]!) { __typename }'));
  if (!operation) throw new Error('the document has no operation');
  const variables = { ids: ['a'] };
  const first = coerceVariables(schema, operation, variables);
  expect(coerceVariables(schema, operation, variables)).toBe(first);
  expect(coerceVariables(schema, operation, { ...variables })).not.toBe(first);
});

describe('a document with many errors', () => {
  it('gets the first ten, and a suggestion with the first only', () => {
    const { getEnveloped } = createYoga({
      schema,
      plugins: [createInlineValuesPlugin()],
      logging: false,
    });
    const { parse, validate } = getEnveloped({});
    const fields = Array.from({ length: 180 }, (_, n) => `event${n}`).join(' ');
    const errors: readonly GraphQLError[] = validate(schema, parse(`{ ${fields} }`));
    const messages = errors.map(({ message }) => message);
    expect(messages).toHaveLength(11);
    expect(messages.at(-1)).toContain('error limit reached');
    expect(messages.filter((message) => message.includes('Did you mean'))).toEqual([messages[0]]);
  });
});

describe('variables above a limit', () => {
  it.each<[what: string, value: unknown, message: string]>([
    [
      'too many items',
      Array.from({ length: MAX_INPUT_VALUES }, () => 1),
      'The variables have more than 5,000 values; at most 5,000 are allowed.',
    ],
    [
      'too many keys',
      Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, 1])),
      'The variables have more than 5,000 values; at most 5,000 are allowed.',
    ],
    [
      'too many levels',
      JSON.parse('['.repeat(90_000) + ']'.repeat(90_000)),
      'The variables have more than 20 levels of lists and objects; at most 20 are allowed.',
    ],
  ])('name the limit: %s', (_, v, message) => {
    const { messages } = coerce('$v: [Int]', { v });
    expect(messages).toEqual([expect.stringContaining(message)]);
  });

  it('within the limits are accepted', () => {
    const v = Array.from({ length: MAX_INPUT_VALUES - 1 }, () => 1);
    expect(coerce('$v: [Int]', { v }).messages).toEqual([]);
    const nested = JSON.parse('['.repeat(MAX_INPUT_LEVELS - 1) + ']'.repeat(MAX_INPUT_LEVELS - 1));
    expect(coerce('$v: JSON', { unused: nested }).messages).toEqual([]);
  });
});
