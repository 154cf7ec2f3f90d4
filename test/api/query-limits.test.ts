import { readFileSync } from 'node:fs';
import { MAX_INPUT_LEVELS, MAX_INPUT_VALUES } from '../../src/core/input-size.ts';
import { MAX_LIMIT } from '../../src/core/pagination.ts';
import { MAX_QUERY_COST } from '../../src/core/query-points.ts';
import {
  MAX_QUERY_ALIASES,
  MAX_QUERY_CHARACTERS,
  MAX_QUERY_DEPTH,
  MAX_QUERY_DIRECTIVES,
  MAX_QUERY_FIELDS,
  MAX_QUERY_SELECTIONS,
  MAX_QUERY_TOKENS,
} from '../../src/graphql/query-limits.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
let cookie: string;
beforeAll(async () => {
  app = await startApp();
  cookie = await app.signIn(STAFF.owner);
});
afterAll(() => app.stop());

async function send(query: string, variables: object = {}) {
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
      cookie,
    },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  return { status: response.status, data, errors };
}

const repeat = (count: number, write: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => write(n)).join(' ');

const PATH = ['team', 'members(first: 1)', 'nodes'];

/** A query that a comment makes this long. */
const pad = (characters: number) => '{ viewer { kind } } #'.padEnd(characters, 'x');

/** A query with this many levels. */
const nest = (levels: number, innermost = '__typename') => {
  const path = Array.from({ length: levels - 2 }, (_, n) => PATH[n % 3]);
  return `{ ${['me', ...path, innermost].join(' { ')} ${'}'.repeat(levels)}`;
};

const listsBelow = (first: number) =>
  `{ members(first: ${first}) { nodes { bookings(first: ${first}) { nodes { id } } } } }`;

/** A fragment with ten fields. */
const TEN_FIELDS = `fragment F on Viewer { ${repeat(10, (n) => (n % 2 ? 'kind' : 'name'))} }`;

/** Fragments each of which contains the next one several times: written out, they would be billions of selections. */
const multiply = (type: string, levels: number, write: (next: string) => string) =>
  `${Array.from({ length: levels }, (_, n) => `fragment F${n} on ${type} { ${write(`...F${n + 1}`)} }`).join(' ')}
  fragment F${levels} on ${type} { __typename }`;

const CASES: [
  what: string,
  limit: number,
  message: string,
  query: string,
  variables?: Record<string, unknown>,
][] = [
  ['eleven levels', MAX_QUERY_DEPTH, 'The query has 11 levels; at most 10', nest(11)],
  [
    'eleven levels in fragments',
    MAX_QUERY_DEPTH,
    'The query has 11 levels; at most 10',
    `${nest(8, '...F')} fragment F on Member { team { members(first: 1) { nodes { id } } } }`,
  ],
  [
    'sixteen aliases',
    MAX_QUERY_ALIASES,
    'The query has 16 aliases; at most 15',
    `{ viewer { ${repeat(16, (n) => `k${n}: kind`)} } }`,
  ],
  [
    '300 aliases',
    MAX_QUERY_ALIASES,
    'The query has 300 aliases; at most 15',
    `{ viewer { ${repeat(300, (n) => `k${n}: kind`)} } }`,
  ],
  [
    'a thousand aliases',
    MAX_QUERY_TOKENS,
    'The query has more than 1,000 tokens; at most 1,000',
    `{ viewer { ${repeat(1_000, (n) => `k${n}: kind`)} } }`,
  ],
  [
    '1,001 tokens',
    MAX_QUERY_TOKENS,
    'The query has more than 1,000 tokens; at most 1,000',
    `{ viewer { ${repeat(996, () => 'kind')} } }`,
  ],
  [
    '20,001 characters',
    MAX_QUERY_CHARACTERS,
    'The query has 20,001 characters; at most 20,000 are allowed',
    pad(20_001),
  ],
  [
    'introspection in introspection',
    MAX_QUERY_COST,
    'points; at most 2,000',
    `{ __schema { types { ${repeat(4, (n) => `a${n}: fields { type { ${repeat(2, (m) => `b${m}: fields { name }`)} } }`)} } } }`,
  ],
  [
    '51 directives',
    MAX_QUERY_DIRECTIVES,
    'The query has 51 directives; at most 50',
    `{ viewer { ${repeat(51, () => 'kind @include(if: true)')} } }`,
  ],
  [
    '201 fields',
    MAX_QUERY_FIELDS,
    'The query has 201 fields; at most 200',
    `{ viewer { ${repeat(200, () => 'kind')} } }`,
  ],
  [
    'a fragment with ten fields that is used twenty times',
    MAX_QUERY_FIELDS,
    'The query has 201 fields; at most 200',
    `{ viewer { ${repeat(20, () => '...F')} } } ${TEN_FIELDS}`,
  ],
  [
    'fragments that repeat fragments',
    MAX_QUERY_SELECTIONS,
    'The query has more than 2,000 selections',
    `{ ...F0 } ${multiply('Query', 60, (next) => `${next} ${next}`)}`,
  ],
  [
    'fragments that repeat fields of the introspection',
    MAX_QUERY_SELECTIONS,
    'The query has more than 2,000 selections',
    `{ __schema { types { ...F0 } } } ${multiply('__Type', 6, (next) => repeat(20, () => `ofType { ${next} }`))}`,
  ],
  [
    'lists below lists',
    MAX_QUERY_COST,
    'The query costs 10,101 points; at most 2,000',
    listsBelow(100),
  ],
  [
    'lists below lists, with variables',
    MAX_QUERY_COST,
    'The query costs 2,071 points; at most 2,000',
    'query ($n: Int!, $m: Int = 22) { members(first: $n) { nodes { bookings(last: $m) { nodes { id } } } } }',
    { n: 90 },
  ],
  [
    'first: 100000',
    MAX_LIMIT,
    'first must be from 1 to 100',
    '{ members(first: 100000) { nodes { id } } }',
  ],
  ['first: 0', MAX_LIMIT, 'first must be from 1 to 100', '{ members(first: 0) { nodes { id } } }'],
  [
    'last: -1 below a list',
    MAX_LIMIT,
    'last must be from 1 to 100',
    'query ($n: Int) { members { nodes { bookings(last: $n) { nodes { id } } } } }',
    { n: -1 },
  ],
];

describe('a query with', () => {
  it.each(CASES)('%s gets 400 with the limit', async (_, limit, message, query, variables = {}) => {
    const { status, data, errors } = await send(query, variables);
    expect(errors).toEqual([
      {
        message: expect.stringContaining(message),
        extensions: {
          code: 'BAD_REQUEST',
          reason: expect.any(String),
          limit,
          ...(errors[0].extensions.fields && {
            fields: [
              {
                field: expect.stringMatching(/^(first|last)$/),
                message: expect.stringContaining(message),
              },
            ],
          }),
        },
        ...(errors[0].locations && { locations: errors[0].locations }),
      },
    ]);
    expect([status, data]).toEqual([400, undefined]);
    expect(errors[0].message).toContain(limit.toLocaleString('en'));
    expect(errors[0].extensions.reason).toBe(
      limit === MAX_LIMIT ? 'INVALID_INPUT' : 'QUERY_TOO_COMPLEX',
    );
  });

  it('null for a condition gets the error of the execution', async () => {
    const { errors } = await send(
      'query ($x: Boolean = true) { viewer @include(if: $x) { kind } }',
      {
        x: null,
      },
    );
    expect(errors).toMatchObject([
      { extensions: { code: 'BAD_REQUEST', reason: 'INVALID_QUERY' } },
    ]);
  });

  it('a fragment cycle gets 400', async () => {
    const { status, errors } = await send(
      '{ viewer { ...A } } fragment A on Viewer { ...B } fragment B on Viewer { kind ...A }',
    );
    expect([status, errors.length]).toEqual([400, 1]);
    expect(errors[0]).toMatchObject({
      message: 'Cannot spread fragment "A" within itself via "B".',
      extensions: { code: 'BAD_REQUEST', reason: 'INVALID_QUERY' },
    });
  });

  it.each<[what: string, query: string]>([
    ['ten levels', nest(10)],
    ['fifteen aliases', `{ viewer { ${repeat(15, (n) => `k${n}: kind`)} } }`],
    ['fifty directives', `{ viewer { ${repeat(50, () => 'kind @include(if: true)')} } }`],
    ['20,000 characters', pad(20_000)],
    ['200 fields', `{ viewer { ${repeat(199, () => 'kind')} } }`],
    ['1,535 selections', `{ ...F0 } ${multiply('Query', 9, (next) => `${next} ${next}`)}`],
    ['2,000 points', listsBelow(44)],
    ['a page of 100', '{ members(first: 100) { nodes { id } } }'],
  ])('%s is answered', async (_, query) => {
    const { errors } = await send(query);
    expect(errors).toBeUndefined();
  });
});

it('the guide names every limit', () => {
  const guide = readFileSync('docs/guides/graphql.md', 'utf8');
  const rows = [...guide.matchAll(/^\| ([a-z ]+?) +\| ([\d,]+) +\|/gm)].map(([, name, value]) => [
    name,
    Number(value?.replaceAll(',', '')),
  ]);
  expect(Object.fromEntries(rows)).toEqual({
    levels: MAX_QUERY_DEPTH,
    fields: MAX_QUERY_FIELDS,
    selections: MAX_QUERY_SELECTIONS,
    aliases: MAX_QUERY_ALIASES,
    directives: MAX_QUERY_DIRECTIVES,
    tokens: MAX_QUERY_TOKENS,
    characters: MAX_QUERY_CHARACTERS,
    points: MAX_QUERY_COST,
    'items of a page': MAX_LIMIT,
    documents: 1,
    'bytes of a body': 200_000,
    'values of the variables': MAX_INPUT_VALUES,
    'levels of the variables': MAX_INPUT_LEVELS,
  });
});
