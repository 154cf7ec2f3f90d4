import { closeSync, openSync, readSync } from 'node:fs';

/** One change of the files of a recorded service, see `recorder.mjs`. Paths are relative to the recorded directory. */
export type TraceRecord =
  | { op: 'create' | 'mkdir' | 'unlink'; path: string }
  | { op: 'write'; path: string; position: number; data: Buffer }
  | { op: 'truncate'; path: string; size: number }
  | { op: 'rename' | 'link'; path: string; to: string }
  /** Covers what was recorded before `start`. */
  | { op: 'fsync'; path: string; start: number }
  /** A response began. `operation` is what the request named in the header `X-Operation`. */
  | { op: 'response'; operation: string; status: number };

/** Reads the records in order. Each is a length, a JSON header of that length, and the data of a write. */
export function* readTrace(file: string): Generator<TraceRecord> {
  const descriptor = openSync(file, 'r');
  let position = 0;
  const read = (length: number) => {
    const buffer = Buffer.alloc(length);
    const count = readSync(descriptor, buffer, 0, length, position);
    position += count;
    return count === length ? buffer : undefined;
  };
  try {
    for (;;) {
      const size = read(4)?.readUInt32LE();
      const json = size === undefined ? undefined : read(size);
      if (json === undefined) return;
      const header = JSON.parse(json.toString());
      yield header.op === 'write' ? { ...header, data: read(header.length) } : header;
    }
  } finally {
    closeSync(descriptor);
  }
}

export const countRecords = (file: string): number => {
  let count = 0;
  for (const _record of readTrace(file)) count += 1;
  return count;
};
