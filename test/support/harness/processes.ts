import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildServer } from './build.ts';
import { findFreePort } from './free-port.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export interface Ended {
  /** Null if a signal ended the process. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Service {
  pid: number;
  url: string;
  port: number;
  /** The log lines so far. */
  logged(): Record<string, unknown>[];
  signal(name: NodeJS.Signals): void;
  ended: Promise<Ended>;
  stop(): Promise<Ended>;
}

/** Runs a command in its own process, with a text as its whole input. */
export async function runFoyer(args: string[], env: NodeJS.ProcessEnv, input = ''): Promise<Ended> {
  const { child, ended } = await spawnNode('cli/main.js', args, env, ROOT, 'pipe');
  child.stdin?.on('error', () => {}).end(input); // most commands do not read it
  return ended;
}

/** Starts the service, of this build or of one in another folder, and waits until it exits with an error. */
export const startExpectingExit = async (env: NodeJS.ProcessEnv, root = ROOT): Promise<Ended> =>
  (await spawnNode('main.js', [], env, root)).ended;

/** Starts the service, of this build or of one in another folder, and waits until it listens. */
export async function startService(env: NodeJS.ProcessEnv, root = ROOT): Promise<Service> {
  const { child, ended, output } = await spawnNode('main.js', [], { PORT: '0', ...env }, root);
  const logged = () =>
    output.stderr
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
  const listening = new Promise<number>((resolve, reject) => {
    child.stderr?.on('data', () => {
      const line = logged().find(({ msg }) => msg === 'listening');
      if (line) resolve(line.port);
    });
    ended.then(({ stderr }) => reject(new Error(`it ended: ${stderr}`)));
  });
  const port = await listening;
  const signal = (name: NodeJS.Signals) => {
    child.kill(name);
  };
  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${port}`,
    port,
    logged,
    signal,
    ended,
    stop: () => {
      signal('SIGTERM');
      return ended;
    },
  };
}

/** Starts the demo with these options and waits until it has printed the credentials. */
export async function startDemo(options: string[], env: NodeJS.ProcessEnv = {}) {
  const port = await findFreePort();
  const { child, ended, output } = await spawnNode('cli/main.js', ['demo', ...options], {
    PORT: String(port),
    ...env,
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', () => {
      if (output.stdout.includes('Press Ctrl-C to stop')) resolve();
    });
    ended.then(({ stderr }) => reject(new Error(`it ended: ${stderr}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    printed: output.stdout,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

// In such short processes, optimizing WebAssembly takes longer than it saves.
export const SHORT_LIVED = ['--liftoff-only', '--no-opt'];

/** Scripts that measure start the service as operators do. */
const getNodeOptions = () => (process.env.JEST_WORKER_ID === undefined ? [] : SHORT_LIVED);

const running = new Set<ChildProcess>();

/** Ends all processes at the end of a test file. */
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

async function spawnNode(
  script: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  root = ROOT,
  stdin: 'ignore' | 'pipe' = 'ignore',
) {
  if (root === ROOT) await buildServer();
  const child = spawn(process.execPath, [...getNodeOptions(), `dist/${script}`, ...args], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      DATA_FSYNC: 'off',
      SHUTDOWN_DELAY: '0',
      ...env,
    },
    stdio: [stdin, 'pipe', 'pipe'],
  });
  running.add(child);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => {
      running.delete(child);
      resolve({ code, ...output });
    });
  });
  return { child, ended, output };
}
