import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Runs one script of this directory: `npm run soak -- kill --trials 5`. With `--check` alone, runs the least of every script, one after
// the other, and names those that failed.

const directory = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));

/** Options of Node that a script needs. */
const NODE_OPTIONS: Record<string, string[]> = {
  imports: ['--expose-gc'],
  // Without its compilers of optimized code, V8 takes less memory for the many databases.
  power: ['--liftoff-only', '--no-opt'],
};

const scripts = new Map(
  readdirSync(directory)
    .map((entry) => {
      const file = entry.endsWith('.ts') ? entry : `${entry}/main.ts`;
      return [entry.replace(/\.ts$/, ''), file] as const;
    })
    .filter(([name, file]) => name !== 'main' && existsSync(directory + file))
    .sort(([a], [b]) => a.localeCompare(b)),
);

async function run(name: string, args: string[]): Promise<boolean> {
  const file = directory + scripts.get(name);
  const nodeOptions = [...(NODE_OPTIONS[name] ?? []), '--import', 'tsx'];
  const child = spawn(process.execPath, [...nodeOptions, file, ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  return code === 0;
}

async function checkAll(): Promise<boolean> {
  const failed: string[] = [];
  for (const name of scripts.keys()) {
    const startedAt = performance.now();
    console.log(`\n--- ${name}`);
    const isRight = await run(name, ['--check']);
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    console.log(`--- ${name}: ${isRight ? 'ok' : 'FAILED'}, ${seconds} s`);
    if (!isRight) failed.push(name);
  }
  console.log(failed.length === 0 ? '\nAll scripts ran.' : `\nFAILED: ${failed.join(', ')}`);
  return failed.length === 0;
}

const [name = '', ...args] = process.argv.slice(2);
if (name === '--check') process.exitCode = (await checkAll()) ? 0 : 1;
else if (scripts.has(name)) process.exitCode = (await run(name, args)) ? 0 : 1;
else {
  console.error(
    `Use npm run soak -- <name>, with one of: ${[...scripts.keys()].join(', ')}.\nnpm run soak -- --check runs the least of all.`,
  );
  process.exitCode = 2;
}
