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
import { startApp, type TestApp } from '../support/app.ts';
import { commandsOn } from '../support/commands.ts';
import type { Ended } from '../support/processes.ts';
import { PAGES, readBlocks } from './pages.ts';

// Every `sh` block of every page is run, in order, on one demo space; a page is one shell, so its variables stay. Blocks
// of other languages, such as `console`, show what cannot be run here: installing, building images, starting services.

const run = promisify(execFile);
const hasExamples = (page: string) => readBlocks(page).some(({ language }) => language === 'sh');

let app: TestApp;
let commands: Server;
let folder: string;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  app = await startApp();
  commands = await serveCommands(await commandsOn(app.database, { BASE_URL: app.url }));
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
    COMMANDS: `http://127.0.0.1:${(commands.address() as AddressInfo).port}`,
  };
});
afterAll(async () => {
  commands.close();
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
  components: { schemas: Record<string, object> };
}
interface Operation {
  requestBody?: Content;
  responses: Record<string, Content>;
}
interface Content {
  content: { 'application/json': { schema: object } };
}

/** The schema of "POST /bookings request" or "POST /bookings 201". */
function findSchema({ paths, components }: Description, note: string) {
  const [method = '', path = '', what = ''] = note.split(' ');
  const operation = paths[path]?.[method.toLowerCase()];
  const content = what === 'request' ? operation?.requestBody : operation?.responses[what];
  const schema = content?.content['application/json'].schema;
  if (schema === undefined) return undefined;
  return JSON.parse(
    JSON.stringify({ ...schema, $defs: components.schemas }).replaceAll(
      '"#/components/schemas/',
      '"#/$defs/',
    ),
  );
}

/**
 * `npm run foyer -- …` runs in this process, since starting one takes a second. `jq` is stood in for: it may be missing, and
 * this one fails where a path leads nowhere.
 */
const PREAMBLE = `
npm() {
  while [ "$1" != -- ]; do shift; done; shift
  local fields=() word
  for word; do fields+=(--data-urlencode "word=$word"); done
  curl -sSf "$COMMANDS" --data-urlencode "folder=$PWD" "\${fields[@]}"
}
jq() {
  node -e '
    const keys = process.argv.at(-1).split(/[.[\\]]+/).filter(Boolean);
    console.log(String(keys.reduce((value, key) => value[key], JSON.parse(fs.readFileSync(0))).valueOf()));
  ' -- "$@"
}
`;

/** Runs the command that a form names, as the shell would in that folder. */
async function serveCommands(command: (args: string[]) => Promise<Ended>): Promise<Server> {
  const server = createServer(async (req, res) => {
    const form = new URLSearchParams(await text(req));
    const folder = form.get('folder') ?? '';
    const words = form.getAll('word');
    const isPath = (word: string, n: number) =>
      existsSync(join(folder, word)) || words[n - 1] === '--out';
    const ended = await command(
      words.map((word, n) => (isPath(word, n) ? join(folder, word) : word)),
    );
    res.statusCode = ended.code === 0 ? 200 : 500;
    res.end(ended.stdout + ended.stderr);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
