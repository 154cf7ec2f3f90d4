import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

let building: Promise<void> | undefined;

/**
 * Updates `dist`, because processes start three times faster from it. In a test run the first caller builds and the others
 * wait; scripts build by themselves. @throws if the sources do not compile.
 */
export function buildServer(): Promise<void> {
  const { TEST_RUN } = process.env;
  building ??= (TEST_RUN ? buildOnce(join(TEST_RUN, 'build')) : build()).then((problem) => {
    if (problem !== '') throw new Error(problem);
  });
  return building;
}

/** Builds and returns the compiler errors, or an empty text. */
async function build(): Promise<string> {
  if (await isUpToDate()) return '';
  return promisify(execFile)(
    process.execPath,
    ['node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.build.json'],
    { cwd: ROOT },
  ).then(
    () => '',
    (error) => `the sources do not compile:\n${error.stdout ?? error}`,
  );
}

/** Whether no file changed after the last build. */
async function isUpToDate(): Promise<boolean> {
  const buildServer = await getChangeTime('dist/.tsbuildinfo').catch(() => 0);
  const names = await readdir(join(ROOT, 'src'), { recursive: true });
  const sources = names.map((name) => join('src', name));
  for (const path of [...sources, 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'])
    if ((await getChangeTime(path)) >= buildServer) return false;
  return true;
}

/** The time of the last change. For a folder, this is when an entry was added or removed. */
const getChangeTime = async (path: string) => (await stat(join(ROOT, path))).mtimeMs;

async function buildOnce(shared: string): Promise<string> {
  const outcome = join(shared, 'outcome');
  const isFirst = await mkdir(shared).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    await writeFile(`${outcome}.new`, await build());
    await rename(`${outcome}.new`, outcome); // atomically
  }
  for (;;) {
    const problem = await readFile(outcome, 'utf8').catch(() => null);
    if (problem !== null) return problem;
    await setTimeout(100);
  }
}
