import { MAX_QUERY_CHARACTERS } from '../../../../src/graphql/query-limits.ts';
import {
  createManyKeys,
  DEEP_LIST,
  HEAVY_BYTES,
  type HeavyRequest,
  postJson,
} from './heavy-request.ts';
import { createSlowTexts } from './slow-texts.ts';

const repeat = (bytes: number, write: (n: number) => string): string => {
  const parts: string[] = [];
  for (let n = 0, size = 0; size < bytes; n += 1) {
    const part = write(n);
    parts.push(part);
    size += part.length + 1;
  }
  return parts.join(' ');
};

/** Documents of this length, each of which repeats one thing. */
function createDocuments(bytes: number): Record<string, string> {
  const name = 'n'.repeat(bytes);
  const half = Math.floor(bytes / 2);
  const chain = (write: (n: number) => string, last: (n: number) => string) => {
    const text = repeat(bytes - 200, write);
    return `{ ...F0 } ${text} ${last(text.split('fragment ').length - 1)}`;
  };
  const end = (n: number) => `fragment F${n} on Query { __typename }`;
  return {
    'aliases of __typename': `{ ${repeat(bytes, (n) => `a${n}: __typename`)} }`,
    'aliases of a field': `{ viewer { ${repeat(bytes, (n) => `a${n}: kind`)} } }`,
    'one alias many times': `{ ${repeat(bytes, () => 'a: __typename')} }`,
    'the same field': `{ viewer { ${repeat(bytes, () => 'kind')} } }`,
    'different arguments of one field': `{ ${repeat(bytes, (n) => `events(first: ${n}) { nodes { id } }`)} }`,
    'unknown fields': `{ ${repeat(bytes, (n) => `f${n}`)} }`,
    'unknown fields of an object': `{ viewer { ${repeat(bytes, (n) => `k${n}ind`)} } }`,
    'unknown arguments': `{ events(${repeat(bytes, (n) => `a${n}: 1`)}) { nodes { id } } }`,
    'the same argument': `{ events(${repeat(bytes, () => 'first: 1')}) { nodes { id } } }`,
    'unknown enum values': `{ events(orderBy: ${name}) { nodes { id } } }`,
    'unknown keys of an input': `{ events(filter: { ${repeat(bytes, (n) => `k${n}: 1`)} }) { nodes { id } } }`,
    'nested selections': `${'{ viewer '.repeat(bytes / 10)}${'}'.repeat(bytes / 10)}`,
    'nested lists of values': `{ events(first: ${'['.repeat(half)}${']'.repeat(half)}) { nodes { id } } }`,
    'nested objects of values': `{ events(filter: ${'{a:'.repeat(bytes / 4)}1${'}'.repeat(bytes / 4)}) { nodes { id } } }`,
    'nested inline fragments': `${'{ ... '.repeat(bytes / 8)}{ __typename }${' }'.repeat(bytes / 8)}`,
    'inline fragments': `{ ${repeat(bytes, () => '... { __typename }')} }`,
    'inline fragments of unknown types': `{ ${repeat(bytes, (n) => `... on T${n} { __typename }`)} }`,
    'a long list of values': `{ nodes(ids: [${repeat(bytes, () => '"a"')}]) { id } }`,
    'spreads of unknown fragments': `{ ${repeat(bytes, (n) => `...F${n}`)} }`,
    'spreads of one fragment': `{ ${repeat(bytes, () => '...F')} } fragment F on Query { __typename }`,
    'a chain of fragments': chain((n) => `fragment F${n} on Query { ...F${n + 1} }`, end),
    'a chain of fragments that doubles': chain(
      (n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`,
      end,
    ),
    'a circle of fragments': `{ ...F0 } ${repeat(bytes, (n) => `fragment F${n} on Query { ...F${(n + 1) % 300} ...F${(n * 7) % 300} }`)}`,
    'fragments that all spread each other': `{ ...F0 } ${repeat(bytes, (n) => `fragment F${n} on Query { ${Array.from({ length: 20 }, (_, m) => `...F${m}`).join(' ')} }`)}`,
    'unused fragments': `{ __typename } ${repeat(bytes, (n) => `fragment F${n} on Query { __typename }`)}`,
    'fragments with the same name': `{ ...F } ${repeat(bytes, () => 'fragment F on Query { __typename }')}`,
    'overlapping fields': `{ ${repeat(bytes, () => 'viewer { kind name }')} }`,
    'overlapping fields in fragments': `{ ${repeat(half, (n) => `...F${n}`)} } ${repeat(half, (n) => `fragment F${n} on Query { viewer { kind a: name } }`)}`,
    'fields that conflict': `{ ${repeat(bytes, (n) => `a: viewer { b: ${n % 2 ? 'kind' : 'name'} }`)} }`,
    directives: `{ viewer { kind ${repeat(bytes, () => '@include(if: true)')} } }`,
    'unknown directives': `{ __typename ${repeat(bytes, (n) => `@d${n}`)} }`,
    'directives of the operation': `query ${repeat(bytes, (n) => `@d${n}(a: 1)`)} { __typename }`,
    'definitions of operations': repeat(bytes, (n) => `query Q${n} { __typename }`),
    'anonymous operations': repeat(bytes, () => '{ __typename }'),
    'definitions of types': repeat(bytes, (n) => `type T${n} { a: Int }`),
    'extensions of types': repeat(bytes, () => 'extend type Query { a: Int }'),
    'variable definitions': `query (${repeat(bytes, (n) => `$v${n}: Int`)}) { __typename }`,
    'variables of unknown types': `query (${repeat(bytes, (n) => `$v${n}: T${n}`)}) { __typename }`,
    'variables with the same name': `query (${repeat(bytes, () => '$v: Int')}) { __typename }`,
    'undefined variables': `{ ${repeat(bytes, (n) => `events(first: $v${n}) { nodes { id } }`)} }`,
    'a nested type of a variable': `query ($v: ${'['.repeat(half)}Int${']'.repeat(half)}) { __typename }`,
    'a variable with a default in lists': `query ($v: [Int] = ${'['.repeat(half)}${']'.repeat(half)}) { __typename }`,
    comments: `${repeat(bytes, () => '#\n')} { __typename }`,
    'one comment': `{ __typename } #${'c'.repeat(bytes)}`,
    commas: `{ __typename ${','.repeat(bytes)} }`,
    'white space': `{ __typename ${' '.repeat(bytes)} }`,
    'line breaks': `{ __typename ${'\r\n'.repeat(half)} }`,
    'line breaks before an error': `${'\n'.repeat(bytes)}{ nothing }`,
    'line breaks before many errors': `${'\n'.repeat(half)}{ ${repeat(half, (n) => `f${n}`)} }`,
    'a syntax error at the end': `{ ${repeat(bytes, () => 'kind')}`,
    'a long name of a field': `{ ${name} }`,
    'a long alias': `{ ${name}: __typename }`,
    'a long name of a variable': `query ($${name}: Int) { __typename }`,
    'a long name of a used variable': `query ($${name.slice(0, half)}: Int) { events(first: $${name.slice(0, half)}) { nodes { id } } }`,
    'a long name of an operation': `query ${name} { __typename }`,
    'a long name of a fragment': `{ ...${name} }`,
    'a long name of a type': `query ($v: ${name}) { __typename }`,
    'a long name of a directive': `{ __typename @${name} }`,
    'a long name of an argument': `{ events(${name}: 1) { nodes { id } } }`,
    'a long number': `{ events(first: ${'1'.repeat(bytes)}) { nodes { id } } }`,
    'a long text': `{ event(slug: "${name}") { id } }`,
    'a long block text': `{ event(slug: """${'\n "'.repeat(bytes / 3)}""") { id } }`,
    'an open text': `{ event(slug: "${name}`,
    'a text with escapes': `{ event(slug: "${'\\u0041'.repeat(bytes / 6)}") { id } }`,
    'introspection in introspection': `{ __schema { types { ${repeat(bytes, () => 'fields { type { fields { name } } }')} } } }`,
    'unreadable characters': '\u0000'.repeat(bytes),
    'opening brackets': '('.repeat(bytes),
    'dollar signs': '$'.repeat(bytes),
  };
}

/** Documents of the largest size that is parsed, and of the largest body, with everything else that a request can have. */
export function createDocumentRequests(headers: Record<string, string>): HeavyRequest[] {
  const post = (name: string, value: unknown, more: Record<string, string> = {}) =>
    postJson(name, '/graphql', () => value, { ...headers, ...more });
  const documents = [MAX_QUERY_CHARACTERS - 300, HEAVY_BYTES].flatMap((bytes) =>
    Object.entries(createDocuments(bytes)).map(([name, query]) =>
      post(`a document of ${bytes} characters: ${name}`, {
        query: query.slice(0, Math.max(bytes + 300, 0)),
      }),
    ),
  );
  const query = '{ __typename }';
  const texts = createSlowTexts(HEAVY_BYTES);
  const keys = createManyKeys();
  const others = texts.flatMap(([name, text]) => [
    post(`a documentId: ${name}`, { documentId: text }),
    post(`a persisted query: ${name}`, {
      extensions: { persistedQuery: { version: 1, sha256Hash: text } },
    }),
    post(`an operation name: ${name}`, { query, operationName: text }),
    post(`a document: ${name}`, { query: text }),
    post(`an unused variable: ${name}`, { query, variables: { a: text } }),
    post(`a variable with this name: ${name}`, { query, variables: { [text]: 1 } }),
  ]);
  return [
    ...documents,
    ...others,
    post('many unused variables', { query, variables: keys }),
    post('a deep variable', { query, variables: { a: DEEP_LIST } }),
    post('variables that are a deep list', { query, variables: DEEP_LIST }),
    post('many extensions', { query, extensions: keys }),
    post('a deep extension', { query, extensions: { a: DEEP_LIST } }),
    post('many unknown parameters', { query, ...keys }),
    post(
      'a batch',
      Array.from({ length: 6_000 }, () => ({ query })),
    ),
    post('a query that is a deep list', { query: DEEP_LIST }),
    post('an operation name that is an object', { query, operationName: keys }),
    post('a documentId that is an object', { documentId: keys }),
    { ...post('an invalid body', {}), writeBody: () => '{'.repeat(HEAVY_BYTES) },
    { ...post('a body of text', {}), writeBody: () => `"${'a'.repeat(HEAVY_BYTES)}"` },
    {
      ...post('half a surrogate at the end', {}),
      writeBody: () => `{"query":"${'a'.repeat(HEAVY_BYTES)}\\ud800"}`,
    },
    {
      ...post('surrogate escapes', {}),
      writeBody: () =>
        `{"query":"{ __typename }","variables":{"a":"${'\\ud83d\\ude00'.repeat(HEAVY_BYTES / 12)}"}}`,
    },
    {
      ...post('a form', {}, { 'content-type': 'application/x-www-form-urlencoded' }),
      writeBody: () => `query=${'a=b&'.repeat(HEAVY_BYTES / 4)}`,
    },
    {
      ...post('a GraphQL body', {}, { 'content-type': 'application/graphql' }),
      writeBody: () => '{ a '.repeat(HEAVY_BYTES / 4),
    },
    {
      ...post('a multipart body', {}, { 'content-type': 'multipart/form-data; boundary=x' }),
      writeBody: () => '--x\r\n'.repeat(HEAVY_BYTES / 5),
    },
  ];
}
