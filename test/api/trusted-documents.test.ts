import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { schema } from '../../src/graphql/schema.ts';
import { loadTrustedDocuments } from '../../src/graphql/trusted-documents/trusted-documents.ts';
import * as documents from '../../src/web/gql/graphql.ts';
import { type Credential, readGraphql } from '../support/clients/api.ts';
import { pageDocuments } from '../support/clients/panel-pages.ts';
import { STAFF, serveDatabase, startApp, type TestApp } from '../support/harness/app.ts';
import { captureStatements, isOfPlannedQuery } from '../support/harness/query-plans.ts';

const directory = mkdtempSync(join(tmpdir(), 'foyer-documents-'));
const manifest = join(directory, 'documents.json');

/** Planned after the first response, and answered by resolvers. Both are public. */
const PLANNED = '{ events(first: 2) { nodes { id title } } }';
const RESOLVED = '{ viewer { kind } }';
const TEXTS = { 'planned-events': PLANNED, viewer: RESOLVED };

/** What Apollo Client sends instead of the text. */
const HASHED = '{ locations(first: 2) { nodes { id name } } }';
const HASH = createHash('sha256').update(HASHED).digest('hex');

const MODES = ['off', 'anonymous', 'all'] as const;
type Mode = (typeof MODES)[number];

let app: TestApp;
const urls = {} as Record<Mode, string>;
const closing: (() => Promise<void>)[] = [];
const callers: Record<string, Credential> = {};

beforeAll(async () => {
  writeFileSync(manifest, JSON.stringify({ ...TEXTS, [`sha256:${HASH}`]: HASHED }));
  app = await startApp();
  for (const mode of MODES) {
    const served = await serveDatabase(app.database, () => app.clock.now, {
      TRUSTED_DOCUMENTS: mode,
      TRUSTED_DOCUMENTS_FILE: manifest,
      QUERY_BUDGET: '10000000',
    });
    urls[mode] = served.url;
    closing.push(served.close);
  }
  callers.stranger = {};
  callers['ended session'] = { cookie: `foyer_session=${'x'.repeat(40)}` };
  callers.token = { token: await app.token('*') };
  callers.staff = { cookie: await app.signIn(STAFF.owner) };
});
afterAll(async () => {
  for (const close of closing) await close();
  await app.stop();
  rmSync(directory, { recursive: true });
});

const post = async (mode: Mode, caller: string, body: object, accept = 'application/json') => {
  const { token, cookie = '' } = callers[caller] ?? {};
  const headers = {
    accept,
    cookie,
    'content-type': 'application/json',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  };
  return readGraphql(
    await fetch(`${urls[mode]}/graphql`, { method: 'POST', headers, body: JSON.stringify(body) }),
  );
};

/** Sends a request until its document is planned if it can be, and returns what each response says. */
async function outcomes(mode: Mode, caller: string, body: object): Promise<string[]> {
  const found = new Set<string>();
  for (let time = 0; time < 3; time += 1) {
    const { status, data, errors } = await post(mode, caller, body);
    found.add(errors[0] ? `${status} ${errors[0].extensions.reason}` : Object.keys(data).join());
  }
  return [...found];
}

const CALLERS = ['stranger', 'ended session', 'token', 'staff'];
const ANONYMOUS = ['stranger', 'ended session'];

describe.each(MODES)('with TRUSTED_DOCUMENTS=%s', (mode) => {
  const isAllowed = (caller: string) =>
    mode === 'off' || (mode === 'anonymous' && !ANONYMOUS.includes(caller));

  // The first caller is the one with the most permissions, so the texts are planned before strangers send them.
  it.each([...CALLERS].reverse())(
    'accepts texts from permitted callers only: %s',
    async (caller) => {
      const rejected = ['403 DOCUMENT_NOT_TRUSTED'];
      for (const [id, query] of Object.entries(TEXTS)) {
        const answered = await outcomes(mode, caller, { documentId: id });
        expect([id, answered]).toEqual([id, [id === 'viewer' ? 'viewer' : 'events']]);
        expect([id, await outcomes(mode, caller, { query })]).toEqual([
          id,
          isAllowed(caller) ? answered : rejected,
        ]);
      }
      for (const query of ['{ __schema { queryType { name } } }', '{ viewer { name } }'])
        expect(await outcomes(mode, caller, { query })).toEqual(
          isAllowed(caller) ? [expect.stringMatching(/^(__schema|viewer)$/)] : rejected,
        );
      // It is rejected before it is parsed.
      expect(await outcomes(mode, caller, { query: '{' })).toEqual(
        isAllowed(caller) ? ['200 INVALID_QUERY'] : rejected,
      );
    },
  );

  it.each(CALLERS)('rejects unknown ids, and requests with both or neither: %s', async (caller) => {
    const both = { documentId: 'viewer', query: RESOLVED };
    expect(await outcomes(mode, caller, { documentId: 'unknown' })).toEqual([
      '404 DOCUMENT_NOT_FOUND',
    ]);
    expect(await outcomes(mode, caller, both)).toEqual(['400 INVALID_INPUT']);
    expect(await outcomes(mode, caller, { documentId: 'planned-events', query: PLANNED })).toEqual([
      '400 INVALID_INPUT',
    ]);
    expect(await outcomes(mode, caller, { documentId: 5 })).toEqual(['400 INVALID_INPUT']);
    expect(await outcomes(mode, caller, {})).toEqual(['400 INVALID_QUERY']);
  });

  it('rejects an invalid token, whatever it sends', async () => {
    callers.invalid = { token: 'unknown' };
    for (const body of [{ query: PLANNED }, { documentId: 'planned-events' }])
      expect(await outcomes(mode, 'invalid', body)).toEqual(['401 UNAUTHENTICATED']);
  });
});

it('answers ids from the same plan as texts, at the same cost', async () => {
  for (let time = 0; time < 2; time += 1)
    await post('off', 'token', { documentId: 'planned-events' });
  const sent = await captureStatements(async () => {
    const [byId, byText] = [
      await post('off', 'token', { documentId: 'planned-events' }),
      await post('off', 'token', { query: PLANNED }),
    ];
    expect(byId.data).toEqual(byText.data);
    expect(byId.extensions.cost?.requested).toBe(3);
    expect(byText.extensions.cost?.requested).toBe(3);
  });
  expect(sent.filter(isOfPlannedQuery)).toHaveLength(2);
});

it("reads ids from Apollo's extension, from the query of a GET request, and for subscriptions", async () => {
  const extensions = { persistedQuery: { version: 1, sha256Hash: 'viewer' } };
  expect(await outcomes('all', 'stranger', { extensions })).toEqual(['viewer']);
  const get = (query: string) => fetch(`${urls.all}/graphql?${query}`);
  expect((await readGraphql(await get('documentId=viewer'))).data).toEqual({
    viewer: { kind: 'ANONYMOUS' },
  });
  expect((await get(`query=${encodeURIComponent(RESOLVED)}`)).status).toBe(403);
  const [subscription = ''] =
    Object.entries(pageDocuments).find(([, text]) =>
      text.includes('subscription OccupancyChanged'),
    ) ?? [];
  const body = { query: '', documentId: subscription };
  const { data } = await post('all', 'token', body, 'text/event-stream');
  expect(data).toEqual({ occupancyChanged: expect.any(Object) });
});

it("finds a document by its plain hash, as Apollo Client sends it, and by the specification's id", async () => {
  const byHash = { extensions: { persistedQuery: { version: 1, sha256Hash: HASH } } };
  for (const caller of ['token', 'staff']) {
    expect(await outcomes('all', caller, byHash)).toEqual(['locations']);
    expect(await outcomes('all', caller, { documentId: `sha256:${HASH}` })).toEqual(['locations']);
  }
  const other = HASH.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
  const unknown = { extensions: { persistedQuery: { version: 1, sha256Hash: other } } };
  expect(await outcomes('all', 'token', unknown)).toEqual(['404 DOCUMENT_NOT_FOUND']);
});

it('lets Apollo Client send the text of a document whose hash is unknown', async () => {
  const client = new ApolloClient({
    cache: new InMemoryCache(),
    link: new PersistedQueryLink({
      sha256: (text) => createHash('sha256').update(text).digest('hex'),
    }).concat(new HttpLink({ uri: `${urls.off}/graphql` })),
  });
  const query = gql('query Unknown { viewer { kind name } }');
  const { data } = await client.query({ query });
  expect(data).toMatchObject({ viewer: { kind: 'ANONYMOUS' } });
  const unknown = { extensions: { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } } };
  const { status, errors } = await post('anonymous', 'token', unknown);
  expect([status, errors]).toEqual([
    200,
    [
      {
        message: 'PersistedQueryNotSupported',
        extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED', reason: 'DOCUMENT_NOT_FOUND' },
      },
    ],
  ]);
  // Who can send no text would only be rejected once more.
  expect(await outcomes('anonymous', 'stranger', unknown)).toEqual(['404 DOCUMENT_NOT_FOUND']);
});

describe('the documents of the pages', () => {
  const sent = Object.entries(documents).flatMap(([name, document]) =>
    name.endsWith('Document') ? [document as { __meta__?: { id?: string } }] : [],
  );

  it('are all in the manifest of the build', () => {
    const ids = sent.map(({ __meta__ }) => __meta__?.id);
    expect(ids.length).toBeGreaterThan(150);
    expect(new Set(ids)).toEqual(new Set(Object.keys(pageDocuments)));
    const built = JSON.parse(readFileSync('dist/web/gql/persisted-documents.json', 'utf8'));
    expect(built).toEqual(pageDocuments); // else run `npm run build:web`
  });

  it('are accepted by their ids', async () => {
    const rejections = ['DOCUMENT_NOT_FOUND', 'DOCUMENT_NOT_TRUSTED', 'QUERY_TOO_COMPLEX'];
    for (const [id, text] of Object.entries(pageDocuments)) {
      const { errors } = await post('all', 'stranger', { documentId: id });
      const [reason] = errors.map(({ extensions }) => extensions.reason);
      expect([text, rejections.includes(String(reason))]).toEqual([text, false]);
    }
  });
});

describe('TRUSTED_DOCUMENTS_FILE', () => {
  const load = (content: string) => {
    const file = join(directory, 'other.json');
    writeFileSync(file, content);
    return loadTrustedDocuments(schema, { mode: 'all', file });
  };

  it('adds documents with ids of any kind', () => {
    const text = 'query ($id: ID!) {\n  node(id: $id) { id }\n}\n';
    const id = `sha256:${createHash('sha256').update(text).digest('hex')}`;
    const { find } = load(JSON.stringify({ [id]: text, 'x-app:node': text, '7.node': text }));
    expect([find(id), find('x-app:node'), find('7.node')]).toEqual([text, text, text]);
    expect(() => load(JSON.stringify({ [id]: text.trim() }))).toThrow(
      /the id is not the hash of the text/,
    );
  });

  it.each([
    ['[]', /must be a JSON object of documents/],
    ['{"a": 1}', /must be a JSON object of documents/],
    ['{"a": ', /is not valid JSON/],
    ['{"a b": "{ viewer { kind } }"}', /"a b": the id must be sha256:/],
    ['{"sha256:abc": "{ viewer { kind } }"}', /"sha256:abc": the id must be sha256:/],
    ['{"a": "{ viewer "}', /"a": Syntax Error: Expected Name/],
    [
      '{"a": "{ x }", "b": "{ viewer { y } }"}',
      /"a": Cannot query .*; "b": Cannot query field "y"/,
    ],
    [
      JSON.stringify({
        a: `{ ${[...'abcdefghijklmnop'].map((name) => `${name}: viewer { kind }`)} }`,
      }),
      /"a": The query has 16 aliases; at most 15 are allowed/,
    ],
  ])('%s does not start the service', (content, problem) => {
    expect(() => load(content)).toThrow(problem);
    expect(() => load(content)).toThrow(/^TRUSTED_DOCUMENTS_FILE: [^\n]+$/);
  });

  it('must be readable', () => {
    expect(() =>
      loadTrustedDocuments(schema, { mode: 'off', file: join(directory, 'absent') }),
    ).toThrow(/^TRUSTED_DOCUMENTS_FILE: .*absent cannot be read: ENOENT/);
  });
});
