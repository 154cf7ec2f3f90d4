import { z } from 'zod';
import type { Route } from '../../../../src/rest/route.ts';
import type { FindId } from './graphql-variables.ts';
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

interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  enum?: unknown[];
  format?: string;
  anyOf?: JsonSchema[];
}

/** Node accepts 16 KB of headers, with the request line. */
const HEAD_BYTES = 15_000;

const BODY_TEXTS = createSlowTexts(HEAVY_BYTES);
const FEW_BODY_TEXTS = BODY_TEXTS.filter(([name]) => FEW_UNITS.includes(name));
const MANY_KEYS = createManyKeys();
const LONG_KEY = 'k'.repeat(HEAVY_BYTES);
const HEAD_TEXTS = createSlowTexts(HEAD_BYTES / 3).map(([name, text]): [string, string] => [
  name,
  encodeURIComponent(text).slice(0, HEAD_BYTES).replace(/%.?$/, ''),
]);
const FEW_HEAD_TEXTS = HEAD_TEXTS.filter(([name]) => FEW_UNITS.includes(name));
const HEADER_TEXTS = createSlowTexts(HEAD_BYTES).filter(([name]) => FEW_UNITS.includes(name));

/** Paths with a body or parameters that are not in the route table. */
const OTHER_PATHS: [method: string, path: string][] = [
  ['GET', '/pay/{secret}'],
  ['GET', '/pay/{secret}/sandbox'],
  ['POST', '/pay/{secret}/sandbox/pay'],
  ['POST', '/pay/{secret}/sandbox/fail'],
  ['POST', '/webhooks/stripe'],
  ['GET', '/public/email-preferences/{secret}/unsubscribe'],
  ['POST', '/public/email-preferences/{secret}/unsubscribe'],
  ['GET', '/events/{slug}'],
  ['GET', '/kiosk/{rest}'],
  ['GET', '/assets/{name}'],
  ['GET', '/{unknown}'],
  ['GET', '/healthz'],
  ['GET', '/openapi.json'],
  ['GET', '/graphql'],
];

/** Each path with long texts in its parameters, query and headers, and each route with every field of its body. */
export function createRestRequests(
  routes: Route[],
  findId: FindId,
  headers: Record<string, string>,
): HeavyRequest[] {
  const table = routes.map(({ method, path }): [string, string] => [method, path]);
  return [
    ...[...table, ...OTHER_PATHS].flatMap(([method, path]) =>
      createHeadRequests(method, path, findId, headers),
    ),
    ...routes.flatMap((route) => createQueryRequests(route, findId, headers)),
    ...routes.flatMap((route) => createBodyRequests(route, findId, headers)),
  ];
}

const fillPath = (path: string, value: (name: string) => string) =>
  path.replace(/\{(\w+)\}/g, (_, name) => value(name));

function createHeadRequests(
  method: string,
  path: string,
  findId: FindId,
  headers: Record<string, string>,
): HeavyRequest[] {
  const valid = fillPath(path, (name) => findId(name, path));
  const create = (what: string, target: string, more: Record<string, string> = {}) => ({
    name: `${method} ${path} with ${what}`,
    method,
    path: target,
    headers: {
      ...headers,
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...more,
    },
    writeBody: () => (method === 'POST' ? '{}' : ''),
  });
  return [
    ...(path.includes('{')
      ? HEAD_TEXTS.map(([name, text]) =>
          create(
            `a path of ${name}`,
            fillPath(path, () => text),
          ),
        )
      : []),
    ...FEW_HEAD_TEXTS.map(([name, text]) =>
      create(`an unknown parameter of ${name}`, `${valid}?x=${text}`),
    ),
    create('many parameters', `${valid}?${repeatTo((n) => `p${n}=1`)}`),
    create('a repeated parameter', `${valid}?${repeatTo(() => 'limit=1')}`),
    create('many ampersands', `${valid}?${'&'.repeat(HEAD_BYTES)}`),
    create('many question marks', `${valid}?${'?'.repeat(HEAD_BYTES)}`),
    create('many encoded characters', `${valid}?${'%41'.repeat(HEAD_BYTES / 3)}=1`),
    ...HEADER_TEXTS.flatMap(([name, text]) => [
      create(`an Authorization header of ${name}`, valid, { authorization: `Bearer ${text}` }),
      create(`a cookie of ${name}`, valid, { authorization: '', cookie: `foyer_session=${text}` }),
      create(`an entity tag of ${name}`, valid, { 'if-none-match': text }),
      ...(method === 'POST'
        ? [create(`an Idempotency-Key of ${name}`, valid, { 'idempotency-key': text })]
        : []),
      create(`a request id of ${name}`, valid, { 'x-request-id': text }),
    ]),
    create('many cookies', valid, { cookie: repeatTo((n) => `c${n}=1`, '; ') }),
    create('many entity tags', valid, { 'if-none-match': repeatTo((n) => `"t${n}"`, ',') }),
    create('many addresses', valid, {
      'x-forwarded-for': repeatTo((n) => `10.1.1.${n % 255}`, ','),
    }),
    create('many media types', valid, { accept: repeatTo((n) => `a/b${n}`, ',') }),
    create('many spaces before the token', valid, {
      authorization: `Bearer${' '.repeat(HEAD_BYTES)}x`,
    }),
    create('a long content type', valid, {
      'content-type': `application/json${' '.repeat(HEAD_BYTES)}x`,
    }),
  ];
}

function repeatTo(write: (n: number) => string, separator = '&'): string {
  const parts: string[] = [];
  for (let n = 0, size = 0; size < HEAD_BYTES - 20; n += 1) {
    parts.push(write(n));
    size += (parts.at(-1) ?? '').length + separator.length;
  }
  return parts.join(separator);
}

const toJsonSchema = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', reused: 'inline', unrepresentable: 'any' }) as JsonSchema;

function createQueryRequests(
  { method, path, query }: Route,
  findId: FindId,
  headers: Record<string, string>,
): HeavyRequest[] {
  const { properties = {}, required = [] } = toJsonSchema(query);
  const valid = required.map(
    (name) => `${name}=${String(createMinimal(name, properties[name] ?? {}, path, findId))}`,
  );
  return Object.keys(properties).flatMap((name) =>
    HEAD_TEXTS.map(([what, text]) => ({
      name: `${method} ${path}?${name}= with ${what}`,
      method,
      path: `${fillPath(path, (id) => findId(id, path))}?${[...valid.filter((pair) => !pair.startsWith(`${name}=`)), `${name}=${text}`].join('&')}`,
      headers,
      writeBody: () => '',
    })),
  );
}

function createBodyRequests(
  { method, path, body }: Route,
  findId: FindId,
  headers: Record<string, string>,
): HeavyRequest[] {
  if (method !== 'POST') return [];
  const target = fillPath(path, (name) => findId(name, path));
  const post = (what: string, createValue: () => unknown) =>
    postJson(`POST ${path} with ${what}`, target, createValue, headers);
  const general = [
    post('many unknown keys', () => MANY_KEYS),
    post('a long unknown key', () => ({ [LONG_KEY]: 1 })),
    post('a deep list', () => DEEP_LIST),
    post('a list', () => fillList({})),
    { ...post('an invalid body', () => ({})), writeBody: () => '{'.repeat(HEAVY_BYTES) },
    {
      ...post('invalid UTF-8', () => ({})),
      writeBody: () => `{"a":"${'\u00ff'.repeat(HEAVY_BYTES / 2)}`,
    },
    {
      ...post('surrogate escapes', () => ({})),
      writeBody: () => `{"a":"${'\\ud83d\\ude00'.repeat(HEAVY_BYTES / 12)}"}`,
    },
  ];
  if (body === undefined) return general;
  const schema = toJsonSchema(body);
  const valid = createMinimal('', schema, path, findId) as object;
  return [
    ...general,
    post('valid and many unknown keys', () => ({ ...valid, ...MANY_KEYS })),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
      createHeavyValues(name, field, path, findId).map(([what, create]) =>
        post(`${name}${what}`, () => ({ ...valid, [name]: create() })),
      ),
    ),
  ];
}

function createMinimal(name: string, schema: JsonSchema, path: string, findId: FindId): unknown {
  const type = schema.anyOf?.[0] ?? schema;
  if (type.enum) return type.enum[0];
  switch (type.type) {
    case 'object':
      return Object.fromEntries(
        (type.required ?? []).map((key) => [
          key,
          createMinimal(key, type.properties?.[key] ?? {}, path, findId),
        ]),
      );
    case 'array':
      return [createMinimal(name, type.items ?? {}, path, findId)];
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    default:
      if (type.format === 'email' || name.includes('email')) return 'someone@example.org';
      if (type.format === 'date') return '2026-04-01';
      if (type.format === 'date-time')
        return /end|to$/.test(name) ? '2026-04-01T11:00:00Z' : '2026-04-01T10:00:00Z';
      return type.format === 'uuid' || name.endsWith('_id') ? findId(name, path) : 'some text';
  }
}

/** The value is created when it is sent, because all of them would not fit into memory. */
type HeavyValue = [what: string, createValue: () => unknown];

const WRONG_KINDS: HeavyValue[] = [
  [': a deep list', () => DEEP_LIST],
  [': an object with many keys', () => MANY_KEYS],
  [': many digits', () => LONG_NUMBER],
];

function createHeavyValues(
  name: string,
  schema: JsonSchema,
  path: string,
  findId: FindId,
): HeavyValue[] {
  const type = schema.anyOf?.[0] ?? schema;
  if (type.type === 'array') {
    const below = createHeavyValues(name, type.items ?? {}, path, findId);
    return [
      ...WRONG_KINDS,
      [': many valid items', () => fillList(createMinimal(name, type.items ?? {}, path, findId))],
      [': many wrong items', () => fillList('')],
      [': many lists', () => fillList([])],
      [': many objects', () => fillList({})],
      ...below.map(([what, create]): HeavyValue => [`[0]${what}`, () => [create()]]),
    ];
  }
  if (type.type === 'object') {
    const valid = createMinimal(name, type, path, findId) as object;
    return [
      ...WRONG_KINDS,
      [': many unknown keys', () => ({ ...valid, ...MANY_KEYS })],
      ...Object.entries(type.properties ?? {}).flatMap(([key, field]) =>
        createHeavyValues(key, field, path, findId).map(
          ([what, create]): HeavyValue => [`.${key}${what}`, () => ({ ...valid, [key]: create() })],
        ),
      ),
    ];
  }
  const texts = type.type === 'string' ? BODY_TEXTS : FEW_BODY_TEXTS;
  return [...WRONG_KINDS, ...texts.map(([text, value]): HeavyValue => [`: ${text}`, () => value])];
}
