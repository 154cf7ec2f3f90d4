import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { TestApp } from '../support/harness/app.ts';
import { createCommandRunner } from '../support/harness/commands.ts';
import type { Ended } from '../support/harness/processes.ts';
import { readBlocks } from './pages.ts';

const run = promisify(execFile);

/**
 * Runs the `sh` blocks of pages against this service. Its address is in `FOYER`. Modules that import the commands must not be loaded
 * before.
 */
export async function startShell(app: TestApp, variables: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-docs-'));
  const settings = { BASE_URL: app.url, DATA_DIR: join(folder, 'main') };
  const helper = await startHelper(await createCommandRunner(app.database, settings));
  const env = {
    ...process.env,
    FOYER: app.url,
    NOW: String(app.clock.now.getTime()),
    HELPER: `http://127.0.0.1:${(helper.address() as AddressInfo).port}`,
    ...variables,
  };

  return {
    /** Runs all blocks of a page in one shell, so its variables stay. Returns the output of each block. */
    runPage: async (page: string): Promise<string[]> => {
      const blocks = readBlocks(page).filter(({ language }) => language === 'sh');
      const script = blocks.map(({ text, line }) => `echo; echo "@@ ${line}"\n${text}`).join('');
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', PREAMBLE + script], {
        env,
        cwd: folder,
        maxBuffer: 10_000_000, // the schemas of all webhooks
      }).catch((error) => {
        throw new Error(`${page}: ${error.stdout}\n${error.stderr}`);
      });
      expect(stdout).not.toMatch(/"success":false|"errors":\[/);
      const outputs = stdout.split(/^@@ \d+\n/m).slice(1);
      expect(outputs).toHaveLength(blocks.length);
      return outputs;
    },
    stop: async () => {
      helper.closeAllConnections();
      helper.close();
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * `npm run foyer -- …` and `jq` are answered by this process: starting another one takes up to a second. Unlike the real
 * jq, this one fails where a path leads nowhere. `node -p` uses the clock of the test.
 */
const PREAMBLE = `
npm() {
  while [ "$1" != -- ]; do shift; done; shift
  local fields=() word
  for word; do fields+=(--data-urlencode "word=$word"); done
  curl -sS --fail-with-body "$HELPER/command" --data-urlencode "folder=$PWD" "\${fields[@]}"
}
jq() { curl -sS --fail-with-body "$HELPER/jq" -H "Path: \${!#}" --data-binary @-; }
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

/** The values at a path such as `.data.slots[0].starts_at`, `.data.slots[].starts_at` or `.content[0].text | fromjson | .id`, a line each. */
function readField(path: string, json: string): { code: number; output: string } {
  const keys = path.match(/\w+|\[\]/g) ?? [];
  const found = keys.reduce(
    // biome-ignore lint/suspicious/noExplicitAny: responses of any shape
    (values: any[], key) => values.flatMap((value) => readKey(value, key)),
    [JSON.parse(json)],
  );
  const isFound = found.length > 0 && found.every((value) => value != null);
  return { code: isFound ? 0 : 1, output: `${found.join('\n')}\n` };
}

// biome-ignore lint/suspicious/noExplicitAny: responses of any shape
function readKey(value: any, key: string) {
  if (key === '[]') return value;
  return [key === 'fromjson' ? JSON.parse(value) : value?.[key]];
}

/** Runs the command that a form names, as the shell would in that folder. */
async function runCommand(form: URLSearchParams, command: (args: string[]) => Promise<Ended>) {
  const folder = form.get('folder') ?? '';
  const words = form.getAll('word');
  const isPath = (word: string, n: number) =>
    existsSync(join(folder, word)) || ['--out', 'backup'].includes(words[n - 1] ?? '');
  const { code, stdout, stderr } = await command(
    words.map((word, n) => (isPath(word, n) && word !== 'verify' ? join(folder, word) : word)),
  );
  return { code, output: stdout + stderr };
}
