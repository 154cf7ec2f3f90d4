import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { waitUntil } from '../support/harness/wait-until.ts';

const isInstalled = spawnSync('nginx', ['-v']).error === undefined;
const describeInstalled = isInstalled ? describe : describe.skip;

/** What a package installs, and what the guide shows. */
const LOCATIONS = {
  'as it is installed': (url: string) => `location / { proxy_pass ${url}; }`,
  'as the guide says': (url: string) => readGuide().replace('http://127.0.0.1:4000', url),
};

const readGuide = (): string =>
  /```nginx\n([^`]*)```/.exec(readFileSync('docs/guides/running.md', 'utf8'))?.[1] ?? '';

describeInstalled.each(Object.entries(LOCATIONS))('behind nginx %s', (_, toLocation) => {
  const directory = mkdtempSync(join(tmpdir(), 'foyer-nginx-'));
  let app: TestApp;
  let nginx: ChildProcess;
  let url: string;

  beforeAll(async () => {
    app = await startApp();
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}`;
    writeFileSync(join(directory, 'nginx.conf'), toConfiguration(port, toLocation(app.url)));
    nginx = spawn('nginx', ['-p', directory, '-c', 'nginx.conf', '-e', 'error.log'], {
      stdio: 'ignore',
    });
    await waitUntil(async () => (await fetch(`${url}/healthz`).catch(() => null))?.ok === true);
  });
  afterAll(async () => {
    nginx.kill();
    await app.stop();
    rmSync(directory, { recursive: true });
  });

  it('passes on the events of a subscription as they happen', async () => {
    const token = await app.token('*');
    const ending = new AbortController();
    const stream = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ query: 'subscription { changes { type } }' }),
      signal: ending.signal,
    });
    const { errors } = await app.graphql(
      'mutation { createMember(input: { name: "Nora Lind", email: "nora@nginx.test" }) { member { id } } }',
      {},
      { token },
    );
    expect(errors).toEqual([]);
    expect(await readUntil(stream, 'member.created')).toContain('member.created');
    ending.abort();
  });
});

async function readUntil({ body }: Response, text: string): Promise<string> {
  let received = '';
  for await (const bytes of (body ?? []) as AsyncIterable<Uint8Array>) {
    received += new TextDecoder().decode(bytes);
    if (received.includes(text)) break;
  }
  return received;
}

/** Logs and temporary files stay in the folder, so that any user can run it. */
const toConfiguration = (port: number, location: string) => `
daemon off;
pid nginx.pid;
events {}
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  server {
    listen 127.0.0.1:${port};
    ${location}
  }
}
`;

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
