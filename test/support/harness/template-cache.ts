import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Creating the templates of the embedded database takes longer than most test files. Runs of the same code share them.

const root = fileURLToPath(new URL('../../../', import.meta.url));
const directory = join(root, 'node_modules/.cache/foyer-test-templates');
const MAX_ENTRIES = 3;

/** What the content of the templates depends on. */
const SOURCES = ['prisma/migrations', 'src', 'test/support', 'package-lock.json'];

/** Identifies the code that creates the templates. */
export function hashSources(): string {
  const hash = createHash('sha256').update(process.version);
  for (const source of SOURCES) {
    const path = join(root, source);
    const files = statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()
      : [''];
    for (const file of files) {
      const name = join(path, file);
      if (/(^|\/)(generated|web)(\/|$)/.test(file) || statSync(name).isDirectory()) continue;
      hash.update(join(source, file)).update(readFileSync(name));
    }
  }
  return hash.digest('hex').slice(0, 32);
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
