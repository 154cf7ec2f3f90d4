import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { startApp, type TestApp } from '../support/app.ts';

const run = promisify(execFile);
const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, script]) => script ?? '');

let app: TestApp;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  app = await startApp();
  const location = await app.ctx.db.location.findFirstOrThrow();
  const { deviceToken } = await app.display({
    name: 'Hall',
    kind: 'welcome',
    locationId: location.id,
  });
  environment = {
    ...process.env,
    FOYER: app.url,
    TOKEN: await app.token('*'),
    DEVICE: deviceToken,
  };
});
afterAll(() => app.stop());

describe('the tour in the README', () => {
  it('has examples of all three kinds of callers, of a booking and of an order', () => {
    expect(examples).toHaveLength(9);
  });

  it.each(examples)('does what it says: %s', async (script) => {
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { env: environment });
    expect(stdout).toMatch(/"success":true|^\{"data":\{"/);
    expect(stdout).not.toMatch(/"success":false|"errors"/);
    if (script.includes('If-None-Match')) expect(stdout).toContain('304');
  });
});
