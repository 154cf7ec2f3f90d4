import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'yaml';
import { openDatabase } from '../../src/db/database.ts';
import { readSizes } from '../support/harness/script-sizes.ts';
import { followDockerfile } from './cluster/dockerfile.ts';
import {
  createDataDirectory,
  createPostgres,
  removeDataDirectory,
} from './cluster/postgres-server.ts';
import { createTrafficStage, findLosses, startTraffic } from './cluster/traffic.ts';

// compose.scale.yaml without a container engine: the steps of the Dockerfile with its version of Node, PostgreSQL, three instances with the
// environment of the file, and HAProxy with its configuration. Each instance restarts under load, and no request may fail. Needs haproxy.

const { port: PORT, calm } = readSizes({ port: [7300, 7300], calm: [5, 1] });
const CALM_MS = calm * 1_000;
const START_MS = 120_000;

interface ComposeFile {
  services: Record<string, { environment?: Record<string, string | number> }>;
  configs: { haproxy: { content: string } };
}

const compose: ComposeFile = parse(readFileSync('compose.scale.yaml', 'utf8'), { merge: true });
const names = Object.keys(compose.services).filter((name) => name.startsWith('foyer-'));
const toPort = (name: string) => PORT + 1 + names.indexOf(name);
const running = new Set<ChildProcess>();

/** The defaults of variables, such as `${TRUST_PROXY:-1}`, also one inside of another. */
const interpolate = (value: string): string => {
  const inner = value.replaceAll(/\$\{\w+:-([^{}]*)\}/g, (_, fallback: string) => fallback);
  return inner === value ? value : interpolate(inner);
};

/** The version of Node in the Dockerfile, from a package of the registry that contains the program. */
function findNode(): string {
  const version = /ARG NODE_VERSION=(\d+)/.exec(readFileSync('Dockerfile', 'utf8'))?.[1];
  const platform = `node-${process.platform}-${process.arch}@${version}`;
  const print = ['exec', '--yes', `--package=${platform}`, '--', 'node', '-p', 'process.execPath'];
  return execFileSync('npm', print, { encoding: 'utf8' }).trim();
}

function startInstance(name: string, directory: string, node: string, databaseUrl: string) {
  const { environment = {} } = compose.services[name] ?? {};
  const settings = Object.fromEntries(
    Object.entries(environment).map(([key, value]) => [key, interpolate(String(value))]),
  );
  const child = spawn(node, ['dist/main.js'], {
    cwd: directory,
    env: {
      ...settings,
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: String(toPort(name)),
      DATABASE_URL: databaseUrl,
      QUERY_BUDGET: '1000000000',
      ANONYMOUS_QUERY_BUDGET: '1000000000',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Waits for an instance, and returns how long it took. */
async function waitUntilReady(name: string): Promise<number> {
  const startedAt = performance.now();
  while (!(await isReady(name))) {
    if (performance.now() - startedAt > START_MS) throw new Error(`${name} is not ready`);
    await pause(50);
  }
  return Math.round(performance.now() - startedAt);
}

const isReady = (name: string) =>
  fetch(`http://127.0.0.1:${toPort(name)}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

function startBalancer(directory: string): void {
  const config = names
    .reduce(
      (text, name) => text.replace(`${name}:4000`, `127.0.0.1:${toPort(name)}`),
      compose.configs.haproxy.content,
    )
    .replace('bind :4000', `bind 127.0.0.1:${PORT}`)
    .replace(/maxconn \d+/, 'maxconn 1000'); // within the limit of open files outside a container
  const file = join(directory, 'haproxy.cfg');
  writeFileSync(file, config);
  const balancer = spawn('haproxy', ['-db', '-f', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  balancer.once('exit', (code) => {
    if (code !== null) throw new Error(`HAProxy exited with ${code}`);
  });
  running.add(balancer);
}

const readMegabytes = (child: ChildProcess) =>
  Math.round(
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1_024,
  );

async function main(directory: string, databaseUrl: string): Promise<boolean> {
  const node = findNode();
  const image = followDockerfile(join(directory, 'image'), dirname(node));
  const size = execFileSync('du', ['-sm', image], { encoding: 'utf8' });
  const unwanted = ['typescript', 'prisma', 'react-dom'].filter((name) =>
    existsSync(join(image, 'node_modules', name)),
  );
  if (unwanted.length > 0) throw new Error(`${unwanted.join(', ')} in the image`);

  const instances = new Map(
    names.map((name) => [name, startInstance(name, image, node, databaseUrl)]),
  );
  startBalancer(directory);
  const starts = await Promise.all(names.map(waitUntilReady));
  console.log(
    `${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}, ${size.split('\t')[0]} MB, ready after ${starts.join(', ')} ms, ` +
      `${[...instances.values()].map(readMegabytes).join(', ')} MB of memory at rest`,
  );
  const database = await openDatabase({ databaseUrl, dataDir: '' });
  const traffic = startTraffic(`http://127.0.0.1:${PORT}`, await createTrafficStage(database));
  await pause(CALM_MS);
  for (const name of names) {
    const stopped = instances.get(name);
    const exited = new Promise((resolve) => stopped?.once('exit', resolve));
    stopped?.kill('SIGTERM');
    const code = await exited;
    if (code !== 0) throw new Error(`${name} exited with ${code}`);
    instances.set(name, startInstance(name, image, node, databaseUrl));
    console.log(`${name} restarted in ${await waitUntilReady(name)} ms`);
    await pause(CALM_MS);
  }
  console.log(`${[...instances.values()].map(readMegabytes).join(', ')} MB of memory under load`);
  await traffic.stop();
  const problems = await findLosses(database, traffic);
  await database.close();
  const outcomes = [...traffic.outcomes].sort();
  for (const [outcome, count] of outcomes) console.log(`  ${outcome}: ${count}`);
  for (const problem of problems) console.error(problem);
  const failed = outcomes.filter(([outcome]) => !/ 20[01]$/.test(outcome));
  console.log(`${traffic.acknowledged.size} bookings, ${failed.length} kinds of failure`);
  return problems.length === 0 && failed.length === 0;
}

if (spawnSync('haproxy', ['-v']).error) {
  console.error('Install haproxy: this script runs it.');
  process.exit(1);
}
const directory = mkdtempSync(join(tmpdir(), 'foyer-scale-'));
const data = createDataDirectory();
const postgres = createPostgres(join(data, 'data'), PORT + 50);
try {
  process.exitCode = (await main(directory, postgres.url)) ? 0 : 1;
} finally {
  for (const child of running) child.kill('SIGKILL');
  removeDataDirectory(data, [postgres]);
  rmSync(directory, { recursive: true });
}
