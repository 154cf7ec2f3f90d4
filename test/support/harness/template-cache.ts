import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// Creating the templates of the embedded database takes longer than most test files. Runs of the same code share them.

const root = fileURLToPath(new URL('../../../', import.meta.url));
const directory = join(root, 'node_modules/.cache/foyer-test-templates');
const MAX_ENTRIES = 3;

/** What the content of the templates depends on, and the module that creates them. */
const DIRECTORIES = ['prisma/migrations'];
const FILES = ['package.json', 'package-lock.json', 'test/support/harness/database.ts'];

/** Identifies what the templates are made of. */
export function hashSources(): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of listSources()) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 32);
}

/** The files that the templates are made of: of every module, those that it names, such as its imports. Types leave no trace. */
export function listSources(): string[] {
  const found = new Set<string>();
  const add = (path: string) => {
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path)) add(join(path, name));
      return;
    }
    const file = relative(root, path);
    if (found.has(file)) return;
    found.add(file);
    if (file.endsWith('.ts')) for (const other of listNamedFiles(path)) add(other);
  };
  for (const source of [...DIRECTORIES, ...FILES]) add(join(root, source));
  return [...found].sort();
}

function listNamedFiles(module: string): string[] {
  const code = readFileSync(module, 'utf8').replaceAll(/^(import|export) type [^;]*;/gm, '');
  return [...code.matchAll(/['"`](\.\.?\/[^'"`\n]+)['"`]/g)]
    .map(([, path = '']) => resolve(dirname(module), path))
    .filter((path) => path.startsWith(root) && existsSync(path));
}

/** Copies the templates of earlier runs into a directory. Returns false if there are none of this code. */
export async function copyTemplates(key: string, names: string[], into: string): Promise<boolean> {
  const entry = join(directory, key);
  if (!existsSync(entry)) return false;
  for (const name of names) await copyFile(join(entry, name), join(into, name));
  return true;
}

/** Keeps templates for later runs, and deletes the oldest ones. */
export async function keepTemplates(key: string, names: string[], from: string): Promise<void> {
  const unfinished = join(directory, `${key}.${process.pid}`);
  await mkdir(unfinished, { recursive: true });
  for (const name of names) await copyFile(join(from, name), join(unfinished, name));
  try {
    renameSync(unfinished, join(directory, key));
  } catch {
    rmSync(unfinished, { recursive: true }); // another run was faster
  }
  const entries = readdirSync(directory).map((name) => join(directory, name));
  const newestFirst = entries.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const entry of newestFirst.slice(MAX_ENTRIES))
    rmSync(entry, { recursive: true, force: true });
}
