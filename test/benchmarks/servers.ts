import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface Server {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** Throws when the sources do not compile. */
export function build(): void {
  const tsc = 'node_modules/typescript/bin/tsc';
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
}

const START_MS = 30_000;

/** The service as it is deployed, out of the sources as they are. */
export const startOurs = (databaseUrl: string) =>
  start(['dist/main.js'], { DATABASE_URL: databaseUrl, PORT: '0', HOST: '127.0.0.1' });

export const startRaw = (databaseUrl: string, client: 'pool' | 'pipeline') =>
  start(['--import', 'tsx', 'test/benchmarks/raw/server.ts'], {
    DATABASE_URL: databaseUrl,
    RAW_CLIENT: client,
  });

export const startNothing = () => start(['--import', 'tsx', 'test/benchmarks/raw/nothing.ts'], {});

/** All kinds say their port on standard error, in a line of JSON. */
function start(args: string[], env: Record<string, string>): Promise<Server> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    const said: string[] = [];
    const giveUp = () => reject(new Error(`${args.at(-1)} did not start:\n${said.join('\n')}`));
    const timer = setTimeout(giveUp, START_MS);
    child.once('exit', giveUp);
    createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => {
      said.push(line);
      const port = /"port":(\d+)/.exec(line)?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      child.off('exit', giveUp);
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
