import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface Server {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** Builds the service. @throws if the sources do not compile. */
export function build(): void {
  const tsc = 'node_modules/typescript/bin/tsc';
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
}

const START_MS = 120_000;

/** Starts the built service of this checkout or of another one. */
export const startOurs = (
  databaseUrl: string,
  { directory = '.', env = {} }: { directory?: string; env?: Record<string, string> } = {},
) =>
  start([join(directory, 'dist/main.js')], {
    DATABASE_URL: databaseUrl,
    PORT: '0',
    HOST: '127.0.0.1',
    // Clients send more than a budget allows.
    QUERY_BUDGET: '1000000000',
    ANONYMOUS_QUERY_BUDGET: '1000000000',
    // As for an instance that has PostgreSQL for itself.
    DATABASE_CONNECTIONS: '21',
    ...env,
  });

export const startRaw = (databaseUrl: string, client: 'pool' | 'pipeline') =>
  start(['--import', 'tsx', 'test/benchmarks/raw/server.ts'], {
    DATABASE_URL: databaseUrl,
    RAW_CLIENT: client,
  });

export const startEmpty = () => start(['--import', 'tsx', 'test/benchmarks/raw/empty.ts'], {});

/** Starts a server, which reports its port in a line of JSON on standard error. */
function start(args: string[], env: Record<string, string>): Promise<Server> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, NODE_ENV: 'production', SHUTDOWN_DELAY: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    const lines: string[] = [];
    const fail = () => reject(new Error(`${args.at(-1)} did not start:\n${lines.join('\n')}`));
    const timer = setTimeout(fail, START_MS);
    child.once('exit', fail);
    createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => {
      lines.push(line);
      const port = /"port":(\d+)/.exec(line)?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      child.off('exit', fail);
      const url = `http://127.0.0.1:${port}`;
      resolve({ url, pid: child.pid as number, stop: () => stop(child) });
    });
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await exited;
  clearTimeout(force);
}
