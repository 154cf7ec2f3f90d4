import fs, { type Dirent } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const MAX_CONCURRENT_FLUSHES = 4; // the threads that Node has for files

/** Windows cannot flush a directory. */
const CAN_FLUSH_DIRECTORIES = process.platform !== 'win32';

/** Flushes the names in a directory to the disk: what was created, renamed or deleted in it. */
export function flushNames(directory: string): void {
  if (!CAN_FLUSH_DIRECTORIES) return;
  const descriptor = fs.openSync(directory, 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Creates a directory and those above it. If they are flushed, they survive a power failure. */
export function createDirectory(
  directory: string,
  { flush, mode = 0o777 }: { flush: boolean; mode?: number },
): void {
  const first = fs.mkdirSync(directory, { recursive: true, mode });
  if (first === undefined || !flush) return;
  for (let created = directory; ; created = dirname(created)) {
    flushNames(dirname(created));
    if (created === first || created === dirname(created)) return;
  }
}

/** Flushes all files and directories in a directory, and the directory. */
export async function flushTree(directory: string): Promise<void> {
  const entries = fs.readdirSync(directory, { recursive: true, withFileTypes: true });
  const toPath = (entry: Dirent) => join(entry.parentPath, entry.name);
  const files = entries.filter((entry) => entry.isFile()).map(toPath);
  const flushNext = async (): Promise<void> => {
    for (let path = files.pop(); path !== undefined; path = files.pop()) {
      const descriptor = await openFile(path, 'r+');
      await flushFile(descriptor).finally(() => fs.closeSync(descriptor));
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_FLUSHES }, flushNext));
  for (const entry of entries) if (entry.isDirectory()) flushNames(toPath(entry));
  flushNames(directory);
}

const openFile = promisify(fs.open);
const flushFile = promisify(fs.fsync);
