import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const MAX_CONCURRENT_FLUSHES = 4; // the threads that Node has for files

/** Flushes a file, or the names in a directory, to the disk. */
export function flushPath(path: string): void {
  let descriptor: number;
  try {
    descriptor = fs.openSync(path, 'r');
  } catch (error) {
    if (isWindowsDirectory(error)) return;
    throw error;
  }
  try {
    fs.fsyncSync(descriptor);
  } catch (error) {
    if (!isWindowsDirectory(error)) throw error;
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Creates a directory and those above it, so that they survive a power failure. */
export function createDirectory(directory: string, { flush }: { flush: boolean }): void {
  const first = fs.mkdirSync(directory, { recursive: true });
  if (first === undefined || !flush) return;
  for (let created = directory; ; created = dirname(created)) {
    flushPath(dirname(created));
    if (created === first || created === dirname(created)) return;
  }
}

/** Flushes all files and directories in a directory, and the directory. */
export async function flushTree(directory: string): Promise<void> {
  const paths = [directory];
  for (const entry of fs.readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() || entry.isDirectory()) paths.push(join(entry.parentPath, entry.name));
  }
  const flushNext = async (): Promise<void> => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop())
      await flushInBackground(path);
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_FLUSHES }, flushNext));
}

async function flushInBackground(path: string): Promise<void> {
  try {
    const descriptor = await openFile(path, 'r');
    await flushFile(descriptor).finally(() => fs.closeSync(descriptor));
  } catch (error) {
    if (!isWindowsDirectory(error)) throw error;
  }
}

const openFile = promisify(fs.open);
const flushFile = promisify(fs.fsync);

/** Windows has no flush of a directory or of a file that is open for reading, and keeps names without it. */
const isWindowsDirectory = (error: unknown) =>
  process.platform === 'win32' &&
  ['EISDIR', 'EPERM', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '');
