/**
 * Starts the built service with the current Node, sends requests to both APIs and stops it: `node test/smoke/service.mjs` after
 * `npm run build`. It creates an embedded database, unless DATABASE_URL leads to one without an owner. Plain JavaScript without libraries, so that any version of Node can run it.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const OWNER = { email: 'olga@example.org', password: 'lantern brick meadow' };
const START_MS = 120_000;
const STOP_MS = 30_000;

const directory = await mkdtemp(join(tmpdir(), 'foyer-smoke-'));
const child = spawn(process.execPath, [MAIN], {
  env: {
    PATH: process.env.PATH,
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: join(directory, 'data'),
    ...(process.env.DATABASE_URL && {
      DATABASE_URL: process.env.DATABASE_URL,
      SHUTDOWN_DELAY: '0',
    }),
    ADMIN_EMAIL: OWNER.email,
    ADMIN_PASSWORD: OWNER.password,
  },
  stdio: ['ignore', 'inherit', 'pipe'],
});
const ended = once(child, 'exit');
const logged = [];

try {
  const url = await within(START_MS, 'start', listening());
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
  assert.equal((await fetch(`${url}/readyz`)).status, 200);

  const signedIn = await graphql(
    url,
    'mutation ($email: String!, $password: String!) { signIn(input: { email: $email, password: $password }) { viewer { kind } } }',
    OWNER,
  );
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const { data } = await graphql(
    url,
    'mutation { createApiToken(input: { name: "smoke", scopes: ["bookings:read"] }) { secret } }',
    {},
    { cookie },
  );
  const { viewer } = (await graphql(url, '{ viewer { role } }', {}, { cookie })).data;
  assert.deepEqual(viewer, { role: 'OWNER' });

  const bookings = await fetch(`${url}/bookings`, {
    headers: { authorization: `Bearer ${data.createApiToken.secret}` },
  });
  assert.equal(bookings.status, 200);
  assert.equal((await bookings.json()).success, true);

  child.kill('SIGTERM');
  assert.deepEqual(await within(STOP_MS, 'stop', ended), [0, null]);
  console.log(`The built service starts, answers and stops on Node ${process.version}.`);
} catch (error) {
  console.error(logged.join('\n'));
  throw error;
} finally {
  child.kill('SIGKILL');
  await rm(directory, { recursive: true });
}

/** The address, once it is in the log. */
async function listening() {
  const lines = createInterface({ input: child.stderr });
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      logged.push(line);
      const { msg, port } = line.startsWith('{') ? JSON.parse(line) : {};
      if (msg === 'listening') resolve(`http://127.0.0.1:${port}`);
    });
    ended.then(() => reject(new Error('The service ended before it listened.')));
  });
}

async function graphql(url, query, variables, headers = {}) {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await answer.json();
  assert.equal(errors, undefined, JSON.stringify(errors));
  return { data, headers: answer.headers };
}

function within(ms, what, work) {
  const tooLong = setTimeout(ms, undefined, { ref: false }).then(() => {
    throw new Error(`The service did not ${what} within ${ms / 1_000} seconds.`);
  });
  return Promise.race([work, tooLong]);
}
