// Makes every flush slower by FLUSH_DELAY_MS and counts flushes and written bytes, as on the disk of a small machine. With
// FLUSH_BLOCKS=1, a flush blocks the process. Loaded with `--import`.

// Makes every flush slower by FLUSH_DELAY_MS and counts flushes and written bytes, as on the disk of a small machine. With
// FLUSH_BLOCKS=1, a flush blocks the process. Loaded with `--import`.

import fs, { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { fsync, fsyncSync, writeSync } = fs;

export const disk = {
  delayMs: Number(process.env.FLUSH_DELAY_MS ?? 0),
  blocks: process.env.FLUSH_BLOCKS === '1',
  flushes: 0,
  bytes: 0,
};
const never = new Int32Array(new SharedArrayBuffer(4));

fs.fsyncSync = (descriptor) => {
  disk.flushes += 1;
  fsyncSync(descriptor);
  if (disk.delayMs > 0) Atomics.wait(never, 0, 0, disk.delayMs);
};
fs.fsync = (descriptor, callback) => {
  if (disk.blocks) {
    fs.fsyncSync(descriptor);
    process.nextTick(callback, null);
    return;
  }
  disk.flushes += 1;
  fsync(descriptor, (error) => setTimeout(callback, disk.delayMs, error));
};
fs.writeSync = (descriptor, ...rest) => {
  const written = writeSync(descriptor, ...rest);
  if (typeof rest[0] !== 'string') disk.bytes += written;
  return written;
};
syncBuiltinESMExports();

// A line of counts at each signal.
const { FLUSH_COUNTS: file } = process.env;
if (file) process.on('SIGUSR2', () => appendFileSync(file, `${JSON.stringify(disk)}\n`));
