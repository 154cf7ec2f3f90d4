import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Migration } from '../../../src/db/migrations.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

/** The newest tag of a release before this commit, or undefined. */
export const findNewestTag = (): Promise<string | undefined> =>
  run('git', ['describe', '--tags', '--abbrev=0', '--match', 'v*'], { cwd: ROOT }).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );

/** Writes the files of a release into a folder and builds its service. */
export async function buildRelease(ref: string, folder: string): Promise<void> {
  const archive = `${folder}.tar`;
  await run('git', ['archive', '--output', archive, ref], { cwd: ROOT });
  mkdirSync(folder);
  await run('tar', ['-xf', archive, '-C', folder]);
  const isSame = readLock(folder).equals(readLock(ROOT));
  // Installed packages are not changed, so hard links are enough.
  if (isSame) await run('cp', ['-al', join(ROOT, 'node_modules'), join(folder, 'node_modules')]);
  else await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
  await run('npm', ['run', 'generate:client'], { cwd: folder });
  await run('npm', ['run', 'build:server'], { cwd: folder });
}

const readLock = (folder: string) => readFileSync(join(folder, 'package-lock.json'));

/** Copies the build in a folder to another one, as a version with more migrations. */
export function copyBuild(
  from: string,
  to: string,
  { version, migrations }: { version: string; migrations: Migration[] },
): void {
  for (const path of ['dist', 'prisma/migrations'])
    cpSync(join(from, path), join(to, path), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  writeFileSync(join(to, 'package.json'), JSON.stringify({ ...manifest, version }));
  for (const { name, sql } of migrations) {
    const folder = join(to, 'prisma/migrations', name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'migration.sql'), sql);
  }
  symlinkSync(join(ROOT, 'node_modules'), join(to, 'node_modules'));
}

/** Runs the smoke test of a release on a migrated database without an owner. */
export async function runSmokeTest(folder: string, databaseUrl: string): Promise<string> {
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl };
  const { stdout } = await run(process.execPath, ['test/smoke/service.mjs'], { cwd: folder, env });
  return stdout.trim();
}

/** Reads the version of the release in a folder. */
export const readVersion = (folder: string): string =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
