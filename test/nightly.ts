import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

// Runs the least of every soak test, benchmark and release script, so that they keep starting. Then runs the tests with new seeds and many
// cases for each property, again and again until the time is over, and prints the command that repeats a failure. With
// TEST_DATABASE_URL, each round also runs the tests that need PostgreSQL.

const { values, positionals } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    runs: { type: 'string', default: process.env.PROPERTY_RUNS ?? '300' },
  },
  allowPositionals: true,
});
const minutes = Number(values.minutes);
const runs = Number(values.runs);
if (!(minutes > 0) || !(Number.isInteger(runs) && runs > 0)) {
  console.error('Use --minutes with a positive number, and --runs with a positive integer.');
  process.exit(2);
}

const SCRIPTS = [
  'soak',
  ...['check', 'history', 'orders', 'capacity', 'flush', 'housekeeping', 'telemetry'].map(
    (name) => `bench:${name}`,
  ),
  'test:week',
  'release',
];

const end = Date.now() + minutes * 60_000;
const directory = await mkdtemp(join(tmpdir(), 'foyer-nightly-'));
const repeats: string[] = [];
let rounds = 0;
if (positionals.length === 0) for (const script of SCRIPTS) await checkScript(script);
while (Date.now() < end) {
  rounds += 1;
  const seed = process.env.PROPERTY_SEED ?? String(randomInt(2 ** 31));
  const scripts = [
    'test',
    ...(rounds === 1 ? ['test:system'] : []), // few of these depend on the seed
    ...(process.env.TEST_DATABASE_URL ? ['test:postgres'] : []),
  ];
  for (const script of scripts) await runRound(script, seed);
}
await rm(directory, { recursive: true });
console.log(`${rounds} rounds, ${repeats.length} failures.`);
for (const command of repeats) console.log(`Repeat with: ${command}`);
process.exit(repeats.length > 0 ? 1 : 0);

/** Runs the least of everything that a script does. */
async function checkScript(script: string): Promise<void> {
  console.log(`npm run ${script} -- --check`);
  const child = spawn('npm', ['run', script, '--', '--check'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise<number | null>((resolve) => child.on('exit', resolve));
  if (code !== 0) repeats.push(`npm run ${script} -- --check`);
}

/** Runs the tests with this seed until they end or the time is over. */
async function runRound(script: string, seed: string): Promise<void> {
  if (Date.now() >= end) return;
  console.log(`Round ${rounds}: npm run ${script} with the seed ${seed}`);
  const output = join(directory, `${script.replace(':', '-')}-${seed}.json`);
  const env = { ...process.env, PROPERTY_SEED: seed, PROPERTY_RUNS: String(runs) };
  const args = [
    'run',
    script,
    '--',
    '--json',
    `--outputFile=${output}`,
    '--passWithNoTests',
    ...positionals,
  ];
  const child = spawn('npm', args, { env, detached: true, stdio: ['ignore', 'ignore', 'inherit'] });
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    if (child.pid) process.kill(-child.pid, 'SIGTERM'); // npm, Jest and its workers
  }, end - Date.now());
  const code = await new Promise<number | null>((resolve) => child.on('exit', resolve));
  clearTimeout(timer);
  if (isOver) console.log('The time is over. The tests that had not ended are not counted.');
  else if (code !== 0) repeats.push(describeRepeat(script, seed, listFailedFiles(output)));
}

function listFailedFiles(output: string): string[] {
  if (!existsSync(output)) return [];
  const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as {
    testResults: { name: string; status: string }[];
  };
  return testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name }) => relative(process.cwd(), name));
}

function describeRepeat(script: string, seed: string, files: string[]): string {
  return [`PROPERTY_SEED=${seed}`, `PROPERTY_RUNS=${runs}`, 'npm run', script, '--', ...files].join(
    ' ',
  );
}
