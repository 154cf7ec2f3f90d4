import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { z } from 'zod';
import { LOCAL, startApp, type TestApp } from '../support/harness/app.ts';
import { createCommandRunner } from '../support/harness/commands.ts';
import type { Ended } from '../support/harness/processes.ts';
import { PAGES, readBlocks } from './pages.ts';

// Every `sh` block of every page is run, in order, on one demo space; a page is one shell, so its variables stay. Blocks
// of other languages, such as `console`, show what cannot be run here: installing, building images, starting services.

const run = promisify(execFile);
const hasExamples = (page: string) => readBlocks(page).some(({ language }) => language === 'sh');

let app: TestApp;
let helper: Server;
let folder: string;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  app = await startApp({ config: LOCAL });
  helper = await startHelper(await createCommandRunner(app.database, { BASE_URL: app.url }));
  folder = await mkdtemp(join(tmpdir(), 'foyer-docs-'));
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
    NOW: String(app.clock.now.getTime()),
    HELPER: `http://127.0.0.1:${(helper.address() as AddressInfo).port}`,
  };
});
afterAll(async () => {
  helper.closeAllConnections();
  helper.close();
  await app.stop();
  await rm(folder, { recursive: true });
});

describe('the examples', () => {
  it('are in the README and in every guide', () => {
    const guides = PAGES.filter((page) => page.startsWith('docs/guides/'));
    expect(guides.length).toBeGreaterThanOrEqual(10);
    expect(['README.md', ...guides].filter((page) => !hasExamples(page))).toEqual([]);
  });

  it.each(PAGES.filter(hasExamples))('of %s do what they say', async (page) => {
    const blocks = readBlocks(page).filter(({ language }) => language === 'sh');
    const script = blocks.map(({ text, line }) => `echo; echo "@@ ${line}"\n${text}`).join('');
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', PREAMBLE + script], {
      env: environment,
      cwd: folder,
    }).catch((error) => {
      throw new Error(`${page}: ${error.stdout}\n${error.stderr}`);
    });
    expect(stdout).not.toMatch(/"success":false|"errors":\[/);
    expect(stdout.match(/^@@ /gm)).toHaveLength(blocks.length);
  });

  it('of the README ask for REST, GraphQL and a display', async () => {
    const examples = readBlocks('README.md').map(({ text }) => text);
    for (const path of ['/public/events', '/bookings', '/displays/state', '/graphql'])
      expect([path, examples.some((example) => example.includes(`$FOYER${path}`))]).toEqual([
        path,
        true,
      ]);
  });
});

describe('JSON examples', () => {
  it('are JSON, and as /openapi.json and the event catalog describe them', async () => {
    const description = JSON.parse(
      await (await fetch(`${app.url}/openapi.json`)).text(),
    ) as Description;
    const token = environment.TOKEN;
    const { data } = await app.graphql('{ webhookEvents { name schema } }', {}, { token });
    for (const page of PAGES)
      for (const { language, text, note, line } of readBlocks(page)) {
        if (language !== 'json') continue;
        const value = JSON.parse(text);
        const [kind, rest = ''] = note.split(': ');
        const event = data.webhookEvents.find(({ name }: { name: string }) => name === rest);
        const found =
          kind === 'openapi'
            ? findSchema(description, rest)
            : kind === 'webhook'
              ? event && JSON.parse(event.schema)
              : {};
        if (found === undefined) throw new Error(`${page}:${line}: nothing describes ${rest}`);
        const checked = kind === 'webhook' ? value.data : value;
        const schema = z.fromJSONSchema(found);
        expect([page, line, schema.safeParse(checked).error]).toEqual([page, line, undefined]);
      }
  });
});

interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; responses: Record<string, Content> };
}
interface Operation {
  requestBody?: Content;
  responses: Record<string, Content | { $ref: string }>;
}
interface Content {
  content: { 'application/json': { schema: object } };
}

/** The schema of "POST /bookings request" or "POST /bookings 201". */
function findSchema({ paths, components }: Description, note: string) {
  const [method = '', path = '', what = ''] = note.split(' ');
  const operation = paths[path]?.[method.toLowerCase()];
  const found = what === 'request' ? operation?.requestBody : findResponse(operation, what);
  const content =
    found && '$ref' in found ? components.responses[found.$ref.split('/').at(-1) ?? ''] : found;
  const schema = content?.content['application/json'].schema;
  if (schema === undefined) return undefined;
  return JSON.parse(
    JSON.stringify({ ...schema, $defs: components.schemas }).replaceAll(
      '"#/components/schemas/',
      '"#/$defs/',
    ),
  );
}

/** The response with this status, or the one that all of its kind share. */
const findResponse = (operation: Operation | undefined, status: string) =>
  operation?.responses[status] ?? operation?.responses[`${status.charAt(0)}XX`];

/**
 * `npm run foyer -- …` and `jq` are answered by this process: starting another one takes up to a second. Unlike the real
 * jq, this one fails where a path leads nowhere. `node -p` uses the clock of the test.
 */
const PREAMBLE = `
npm() {
  while [ "$1" != -- ]; do shift; done; shift
  local fields=() word
  for word; do fields+=(--data-urlencode "word=$word"); done
  curl -sSf "$HELPER/command" --data-urlencode "folder=$PWD" "\${fields[@]}"
}
jq() { curl -sSf "$HELPER/jq" -H "Path: \${!#}" --data-binary @-; }
node() { command node -p "Date.now = () => $NOW; $2"; }
`;

async function startHelper(command: (args: string[]) => Promise<Ended>): Promise<Server> {
  const server = createServer(async (req, res) => {
    const body = await text(req);
    const { code, output } =
      req.url === '/jq'
        ? readField(String(req.headers.path), body)
        : await runCommand(new URLSearchParams(body), command);
    res.statusCode = code === 0 ? 200 : 500;
    res.end(output);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** The values at a path such as `.data.slots[0].starts_at` or `.data.slots[].starts_at`, a line each. */
function readField(path: string, json: string): { code: number; output: string } {
  const keys = path.match(/\w+|\[\]/g) ?? [];
  const found = keys.reduce(
    // biome-ignore lint/suspicious/noExplicitAny: responses of any shape
    (values: any[], key) => values.flatMap((value) => (key === '[]' ? value : [value?.[key]])),
    [JSON.parse(json)],
  );
  const isFound = found.length > 0 && found.every((value) => value != null);
  return { code: isFound ? 0 : 1, output: `${found.join('\n')}\n` };
}

/** Runs the command that a form names, as the shell would in that folder. */
async function runCommand(form: URLSearchParams, command: (args: string[]) => Promise<Ended>) {
  const folder = form.get('folder') ?? '';
  const words = form.getAll('word');
  const isPath = (word: string, n: number) =>
    existsSync(join(folder, word)) || words[n - 1] === '--out';
  const { code, stdout, stderr } = await command(
    words.map((word, n) => (isPath(word, n) ? join(folder, word) : word)),
  );
  return { code, output: stdout + stderr };
}
