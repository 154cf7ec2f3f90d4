import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
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
async function build(): Promise<string> {
  if (await isUpToDate()) return '';
  return promisify(execFile)(
    process.execPath,
    ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'],
    { cwd: HOUSE },
  ).then(
    () => '',
    (error) => `the sources do not compile:\n${error.stdout ?? error}`,
  );
}

/** Whether nothing was changed after the last build, such as that of `npm ci`. */
async function isUpToDate(): Promise<boolean> {
  const built = await changed('dist/.tsbuildinfo').catch(() => 0);
  const names = await readdir(join(HOUSE, 'src'), { recursive: true });
  const sources = names.map((name) => join('src', name));
  for (const path of [...sources, 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'])
    if ((await changed(path)) >= built) return false;
  return true;
}

/** When, in milliseconds since 1970; of a folder, when something was added to it or removed. */
const changed = async (path: string) => (await stat(join(HOUSE, path))).mtimeMs;

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
