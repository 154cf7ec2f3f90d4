import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
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
  const socketPath = join(directory, 'nginx.sock'); // a free port could be taken before nginx listens
  let app: TestApp;
  let nginx: ChildProcess;

  beforeAll(async () => {
    app = await startApp();
    const configuration = toConfiguration(socketPath, toLocation(app.url));
    writeFileSync(join(directory, 'nginx.conf'), configuration);
    nginx = spawn('nginx', ['-p', directory, '-c', 'nginx.conf', '-e', 'error.log'], {
      stdio: 'ignore',
    });
    await waitUntil(async () => {
      const response = await send({ socketPath, path: '/healthz' }).catch(() => null);
      response?.resume();
      return response?.statusCode === 200;
    });
  });
  afterAll(async () => {
    nginx.kill();
    await app.stop();
    rmSync(directory, { recursive: true });
  });

  it('passes on the events of a subscription as they happen', async () => {
    const token = await app.token('*');
    const headers = {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
    };
    const stream = await send(
      { socketPath, path: '/graphql', method: 'POST', headers },
      JSON.stringify({ query: 'subscription { changes { type } }' }),
    );
    const { errors } = await app.graphql(
      'mutation { createMember(input: { name: "Nora Lind", email: "nora@nginx.test" }) { member { id } } }',
      {},
      { token },
    );
    expect(errors).toEqual([]);
    expect(await readUntil(stream, 'member.created')).toContain('member.created');
    stream.destroy();
  });
});

async function send(options: RequestOptions, body?: string): Promise<IncomingMessage> {
  const [response] = await once(request(options).end(body), 'response');
  return response;
}

async function readUntil(stream: IncomingMessage, text: string): Promise<string> {
  let received = '';
  for await (const part of stream.setEncoding('utf8')) {
    received += part;
    if (received.includes(text)) break;
  }
  return received;
}

/** Logs and temporary files stay in the folder, so that any user can run it. */
const toConfiguration = (socketPath: string, location: string) => `
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
    listen unix:${socketPath};
    ${location}
  }
}
`;
