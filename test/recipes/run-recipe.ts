import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { waitUntil } from '../support/harness/wait-until.ts';

/** A recipe that runs as its readers run it. */
export interface Recipe {
  /** The lines that it has printed. */
  lines: string[];
  type(line: string): void;
  /** Waits until it has printed this text so many times. */
  printed(text: string, times?: number): Promise<void>;
  stop(): Promise<void>;
}

const running = new Set<Recipe>();

export function startRecipe(command: string, args: string[], env: NodeJS.ProcessEnv = {}): Recipe {
  // In a group of its own, since `go run` starts another process.
  const child = spawn(command, args, { env: { ...process.env, ...env }, detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const recipe: Recipe = {
    get lines() {
      return output.split('\n').filter((line) => line !== '');
    },
    type: (line) => child.stdin.write(`${line}\n`),
    printed: (text, times = 1) =>
      waitUntil(
        () => {
          if (hasEnded(child)) throw new Error(`${args.join(' ')} has ended: ${output}`);
          return output.split(text).length > times;
        },
        `${args.join(' ')} prints "${text}"`,
      ),
    stop: async () => {
      running.delete(recipe);
      if (child.pid === undefined || hasEnded(child)) return;
      process.kill(-child.pid, 'SIGKILL');
      await once(child, 'close');
    },
  };
  running.add(recipe);
  return recipe;
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null;

/** Stops everything that a test file has started. */
export async function stopRecipes(): Promise<void> {
  await Promise.all([...running].map((recipe) => recipe.stop()));
}

/** Whether a program is on the PATH of this machine. */
export const isInstalled = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** Says what cannot be tested on this machine, as `.ci/run` does. */
export const reportMissing = (program: string, what: string): void => {
  process.stderr.write(`SKIPPED: ${what}. ${program} is not installed.\n`);
};

/** Sends the beginning of a request and hangs up, as clients do whose network fails. */
export async function hangUp(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {}).resume();
  socket.end('POST /preview HTTP/1.1\r\nHost: recipe\r\nContent-Length: 100\r\n\r\n{');
  await once(socket, 'close');
}
