import { isWellFormedSecret } from '../../src/auth/tokens.ts';
import { sendRaw } from '../support/clients/raw-http.ts';
import { PASSWORD } from '../support/factories/seed.ts';
import { LOCAL, STAFF, startApp, type TestApp } from '../support/harness/app.ts';

const NEW_PASSWORD = 'harbour violet ladder';

const lines: string[] = [];
const errorBodies: string[] = [];
const secrets = new Set([PASSWORD, NEW_PASSWORD]);
let app: TestApp;
let token: string;
let cookie: string;
let locationId: string;
let deviceToken: string;

beforeAll(async () => {
  app = await startApp({ config: LOCAL, logTo: (line) => lines.push(line) });
  token = await app.token('*');
  cookie = await app.signIn(STAFF.owner);
  ({ id: locationId } = await app.ctx.db.location.findFirstOrThrow());
  const made = await graphql(CREATE_DISPLAY, { locationId });
  ({ deviceToken } = made.data.createDisplay);
  const another = await graphql(CREATE_TOKEN);
  const { secret, apiToken } = another.data.createApiToken;
  const rotated = await graphql(
    'mutation ($id: ID!) { rotateApiToken(input: { id: $id, overlapMinutes: 0 }) { secret } }',
    { id: apiToken.id },
  );
  for (const issued of [token, deviceToken, secret, rotated.data.rotateApiToken.secret]) {
    secrets.add(issued);
  }
  secrets.add(cookie.split('=')[1] ?? '');
});
afterAll(() => app.stop());

beforeEach(() => errorBodies.splice(0));

afterEach(async () => {
  const metrics = await (await fetch(`${app.url}/metrics`)).text();
  for (const secret of secrets) {
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
    expect(errorBodies.filter((text) => text.includes(secret))).toEqual([]);
    expect(metrics).not.toContain(secret);
  }
});

describe('logs contain no secrets', () => {
  it('of successful requests', async () => {
    expect([...secrets].filter((it) => isWellFormedSecret('session', it))).toHaveLength(1);
    expect(await rest(`/displays/state/${deviceToken}`)).toBe(200);
    expect(await rest(`/displays/heartbeat/${deviceToken}`)).toBe(200);
    expect(await rest('/displays/state', deviceToken)).toBe(200);
    expect(await rest('/bookings', token)).toBe(200);
    expect(lines.join()).toContain('/displays/state/foyerd_***');
    expect(lines.length).toBeGreaterThan(5);
  });

  it('of credentials in the wrong place', async () => {
    const encoded = `%66${deviceToken.slice(1)}`;
    await rest(`/displays/state/${token}`);
    await rest(`/displays/state/${encoded}`);
    await rest(`/displays/heartbeat/${encodeURIComponent(`${deviceToken} `)}`);
    await rest(`/displays/state/${deviceToken}/`);
    await rest(`/displays/states/${deviceToken}`);
    await rest(`/displays/state/${deviceToken}%`);
    await rest(`/public/events?access_token=${token}`);
    await rest(`/public/events?${token}`);
    await rest(`/bookings?resource_id=${token}`, token);
    await rest(`/bookings?cursor=${token}`, token);
    await rest('/bookings', deviceToken);
    await rest('/bookings', `${token}x`);
    await rest(`/admin/${token}.html`);
    await graphqlAs({ token: deviceToken }, '{ apiTokens { edges { node { id } } } }');
    await sendRaw(app.port, { method: token, target: deviceToken, headers: [], body: '' });
    await sendRaw(app.port, {
      method: 'GET',
      target: '/bookings',
      headers: [['authorization', token]],
      body: '',
    });
  });

  it('of queries that do not match the schema', async () => {
    await graphql(`{ ${token} }`);
    await graphql(`{ viewer(token: "${token}") { kind } }`);
    await graphql(`{ viewer { kind } } ${token}`);
    await graphql('query ($id: ID!) { booking(id: $id) { id } }', { id: token });
    await graphql('query ($id: ID!) { booking(id: $id) { id } }', { id: [token] });
    await graphql(CREATE_DISPLAY, { locationId: token });
    await graphql(
      'mutation ($id: ID!) { revokeApiToken(input: { id: $id }) { apiToken { id } } }',
      { id: token },
    );
    await graphql(
      'mutation ($s: [String!]!) { createApiToken(input: {name: "x", scopes: $s}) { secret } }',
      { s: [token] },
    );
    await graphqlAs({}, SIGN_IN, { email: STAFF.owner, password: [PASSWORD] });
    await graphqlAs({}, SIGN_IN, { email: STAFF.owner, password: { is: PASSWORD } });
    await graphqlAs({}, SIGN_IN, { email: [PASSWORD] });
    await graphqlAs({}, SIGN_IN.replace('$password)', `${PASSWORD.split(' ')[0]})`), {
      email: '',
      password: '',
    });
    expect(errorBodies.length).toBeGreaterThan(10);
  });

  it('of wrong or weak passwords', async () => {
    await graphqlAs({}, SIGN_IN, { email: STAFF.owner, password: `${PASSWORD}x` });
    await graphqlAs({}, SIGN_IN, { email: PASSWORD, password: STAFF.owner });
    await graphql(CHANGE_PASSWORD, { current: `${PASSWORD}x`, next: NEW_PASSWORD });
    await graphql(CHANGE_PASSWORD, { current: PASSWORD, next: PASSWORD.slice(0, 5) });
  });

  it('of statements that the database rejects', async () => {
    const { pool } = app.database;
    for (const table of ['api_tokens', 'displays', 'users', 'sessions']) {
      await pool.query(`ALTER TABLE ${table} ADD CONSTRAINT never CHECK (false) NOT VALID`);
    }
    expect((await graphql(CREATE_TOKEN)).codes).toEqual(['INTERNAL']);
    expect((await graphql(CREATE_DISPLAY, { locationId })).codes).toEqual(['INTERNAL']);
    const change = { current: PASSWORD, next: NEW_PASSWORD };
    expect((await graphql(CHANGE_PASSWORD, change)).codes).toEqual(['INTERNAL']);
    const person = { email: STAFF.owner, password: PASSWORD };
    expect((await graphqlAs({}, SIGN_IN, person)).codes).toEqual(['INTERNAL']);
    expect(lines.filter((line) => line.includes('request failed')).length).toBeGreaterThan(3);
    for (const table of ['api_tokens', 'displays', 'users', 'sessions']) {
      await pool.query(`ALTER TABLE ${table} DROP CONSTRAINT never`);
    }
  });

  it('of requests during an outage of the database', async () => {
    const { pool } = app.database;
    for (const table of ['api_tokens', 'displays', 'users', 'sessions', 'rate_limits']) {
      await pool.query(`ALTER TABLE ${table} RENAME TO no_${table}`);
    }
    expect(await rest('/bookings', token)).toBe(500);
    expect(await rest(`/displays/state/${deviceToken}`)).toBe(500);
    expect(await rest('/displays/heartbeat', deviceToken)).toBe(500);
    expect((await graphql('{ viewer { kind } }')).codes).toEqual(['INTERNAL']);
    const person = { email: STAFF.owner, password: PASSWORD };
    expect((await graphqlAs({}, SIGN_IN, person)).codes).toEqual(['INTERNAL']);
    for (const table of ['api_tokens', 'displays', 'users', 'sessions', 'rate_limits']) {
      await pool.query(`ALTER TABLE no_${table} RENAME TO ${table}`);
    }
  });
});

const CREATE_DISPLAY = `mutation ($locationId: ID!) {
  createDisplay(input: { name: "Door", kind: WELCOME, locationId: $locationId }) { deviceToken } }`;
const CREATE_TOKEN = `mutation {
  createApiToken(input: { name: "till", scopes: ["*"] }) { secret apiToken { id } } }`;
const SIGN_IN =
  'mutation ($email: String!, $password: String!) { signIn(input: { email: $email, password: $password }) { viewer { kind } } }';
const CHANGE_PASSWORD =
  'mutation ($current: String!, $next: String!) { changePassword(input: { current: $current, next: $next }) { viewer { kind } } }';

async function rest(path: string, as?: string): Promise<number> {
  const { status, body } = await app.rest(path, { token: as });
  if (status >= 400) errorBodies.push(JSON.stringify(body));
  return status;
}

const graphql = (query: string, variables: object = {}) => graphqlAs({ cookie }, query, variables);

async function graphqlAs(
  as: Parameters<TestApp['rest']>[1],
  query: string,
  variables: object = {},
) {
  const response = await app.graphql(query, variables, as);
  if (response.errors.length > 0) errorBodies.push(JSON.stringify(response.errors));
  return response;
}
