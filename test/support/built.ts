import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const HOUSE = fileURLToPath(new URL('../../', import.meta.url));

let building: Promise<void> | undefined;

/**
 * Brings `dist` up to the sources: a process starts from it in a third of the time. In a run of the tests whoever asks
 * first builds, and the others wait for it; scripts build for themselves. Throws when the sources do not compile.
 */
export function built(): Promise<void> {
  const { TEST_RUN } = process.env;
  building ??= (TEST_RUN ? buildOnce(join(TEST_RUN, 'build')) : build()).then((problem) => {
    if (problem !== '') throw new Error(problem);
  });
  return building;
}

/** What is wrong with the sources, or nothing. */
const build = (): Promise<string> =>
  promisify(execFile)(
    process.execPath,
    ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'],
    { cwd: HOUSE },
  ).then(
    () => '',
    (error) => `the sources do not compile:\n${error.stdout ?? error}`,
  );

async function buildOnce(shared: string): Promise<string> {
  const outcome = join(shared, 'outcome');
  const isFirst = await mkdir(shared).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    await writeFile(`${outcome}.new`, await build());
    await rename(`${outcome}.new`, outcome); // whole, or not there
  }
  for (;;) {
    const problem = await readFile(outcome, 'utf8').catch(() => null);
    if (problem !== null) return problem;
    await setTimeout(100);
  }
}
