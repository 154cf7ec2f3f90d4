import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { takeSample } from '../support/harness/property-runs.ts';

let app: TestApp;
let authorization: string;
beforeAll(async () => {
  app = await startApp();
  authorization = `Bearer ${await app.token('*')}`;
});
afterAll(() => app.stop());

const NAME = 'Renée Müller';
const CREATE =
  'mutation ($input: CreateMemberInput!) { createMember(input: $input) { member { id } } }';

/** How each API creates a member, and its status for a body of a form that it does not read. */
const APIS: Record<string, { path: string; unsupported: number; toBody(input: object): unknown }> =
  {
    REST: { path: '/members', unsupported: 400, toBody: (input) => input },
    GraphQL: {
      path: '/graphql',
      unsupported: 415,
      toBody: (input) => ({ query: CREATE, variables: { input } }),
    },
    MCP: {
      path: '/mcp',
      unsupported: 415,
      toBody: (input) => ({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'create_member',
          arguments: { ...input, idempotency_key: randomUUID() },
        },
      }),
    },
  };

type Outcome = 'read' | 'unreadable' | 'unsupported';

const utf8 = (text: string) => new Uint8Array(Buffer.from(text));
const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const gzip = (text: string) => new Uint8Array(gzipSync(text));
const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'));

const BODIES: [
  what: string,
  type: string,
  encode: (text: string) => Uint8Array<ArrayBuffer>,
  outcome: Outcome,
  coding?: string,
][] = [
  ['JSON', 'application/json', utf8, 'read'],
  ['capitals', 'Application/JSON', utf8, 'read'],
  ['a charset', 'application/json; charset=utf-8', utf8, 'read'],
  ['a charset in capitals', 'application/json;Charset=UTF-8', utf8, 'read'],
  ['a quoted charset', 'application/json ; charset="utf8"', utf8, 'read'],
  ['another parameter', 'application/json; profile="x"; charset=utf-8', utf8, 'read'],
  ['two types', 'application/json, application/json', utf8, 'read'],
  ['another type', 'text/plain', utf8, 'unsupported'],
  ['a longer type', 'application/jsonx', utf8, 'unsupported'],
  ['a form', 'multipart/form-data; boundary=x', utf8, 'unsupported'],
  ['Latin-1 with its charset', 'application/json; charset=ISO-8859-1', latin1, 'read'],
  ['UTF-16 with its charset', 'application/json; charset=utf-16', utf16, 'read'],
  ['Latin-1 without its charset', 'application/json', latin1, 'unreadable'],
  ['Latin-1 as UTF-8', 'application/json; charset=utf-8', latin1, 'unreadable'],
  ['UTF-16 without its charset', 'application/json', utf16, 'unreadable'],
  ['an unknown charset', 'application/json; charset=utf-7', utf8, 'unsupported'],
  ['a byte order mark', 'application/json', (text) => utf8(`\uFEFF${text}`), 'read'],
  ['two byte order marks', 'application/json', (text) => utf8(`\uFEFF\uFEFF${text}`), 'unreadable'],
  ['a coding that changes nothing', 'application/json', utf8, 'read', 'identity'],
  ['compression', 'application/json', gzip, 'unsupported', 'gzip'],
  ['compression in capitals', 'application/json', gzip, 'unsupported', 'GZIP'],
  ['an announced compression only', 'application/json', utf8, 'unsupported', 'br'],
];

describe.each(Object.entries(APIS))('%s reads a body with', (_, { path, unsupported, toBody }) => {
  const post = (headers: Record<string, string>, body: BodyInit) =>
    fetch(app.url + path, { method: 'POST', headers: { authorization, ...headers }, body });

  // They read bodies with the same code, so one of them gets all in `npm test`.
  it.each(path === '/graphql' ? BODIES : takeSample(BODIES, 4))(
    '%s',
    async (...[, type, encode, outcome, coding]) => {
      const email = `${randomUUID()}@bodies.test`;
      const headers = { 'content-type': type, ...(coding && { 'content-encoding': coding }) };
      const { status } = await post(headers, encode(JSON.stringify(toBody({ name: NAME, email }))));
      const member = await app.ctx.db.member.findFirst({ where: { email } });
      const success = path === '/members' ? 201 : 200;
      expect([status, member?.name]).toEqual(
        {
          read: [success, NAME],
          unreadable: [400, undefined],
          unsupported: [unsupported, undefined],
        }[outcome],
      );
    },
  );

  it('a slash at the end of the path', async () => {
    const email = `${randomUUID()}@bodies.test`;
    const response = await fetch(`${app.url}${path}/`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(toBody({ name: NAME, email })),
    });
    expect(response.ok).toBe(true);
    expect(await app.ctx.db.member.count({ where: { email } })).toBe(1);
  });
});

describe('GraphQL reads', () => {
  const QUERY = 'query Q { events(first: 1, filter: { q: "é" }) { nodes { id } } }';
  const send = async (type: string, body: BodyInit) => {
    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { authorization, 'content-type': type },
      body,
    });
    return [response.status, Object.keys(await response.json())];
  };
  const READ = [200, ['data', 'extensions']];
  const REJECTED = [400, ['errors']];
  const FORM = 'application/x-www-form-urlencoded';

  it.each<[string, string, BodyInit, unknown]>([
    ['a document', 'application/graphql', QUERY, READ],
    ['a document in Latin-1', 'application/graphql; charset=latin1', latin1(QUERY), READ],
    ['no document that is not text', 'application/graphql', latin1(QUERY), REJECTED],
    ['a form', FORM, new URLSearchParams({ query: QUERY, operationName: '' }).toString(), READ],
    [
      'no form in Latin-1',
      FORM,
      `query=${encodeURIComponent(QUERY).replace('%C3%A9', '%E9')}`,
      REJECTED,
    ],
    [
      'no form with broken variables',
      FORM,
      `query=${encodeURIComponent(QUERY)}&variables={`,
      REJECTED,
    ],
  ])('%s', async (_, type, body, expected) => {
    expect(await send(type, body)).toEqual(expected);
  });

  it('an empty operation name as none, by POST and GET, before and after it is planned', async () => {
    const body = JSON.stringify({ query: QUERY, operationName: '' });
    for (let time = 0; time < 3; time += 1)
      expect(await send('application/json', body)).toEqual(READ);
    const search = new URLSearchParams({ query: QUERY, operationName: '' });
    const response = await fetch(`${app.url}/graphql?${search}`, { headers: { authorization } });
    expect(response.status).toBe(200);
  });
});
