import { randomBytes } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { PassThrough, Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import { DomainError } from '../../errors.ts';
import { deleteAbandoned } from './abandoned-files.ts';
import { unreadable } from './format.ts';

const READ_BYTES = 256 * 1024;
/** Higher levels take several times as long for a tenth of the size. */
const GZIP_LEVEL = 3;

interface OpenBackup {
  /** The size of the file, undefined for standard input. */
  size: number | undefined;
  /** The content of the file, decompressed. */
  pieces: AsyncIterable<Buffer>;
}

/**
 * Opens a file, or standard input for `-`. `onBytes` gets the number of bytes of the file that were read so far.
 * @throws BAD_REQUEST if the file cannot be read. Reading throws it too if the file is damaged.
 */
export async function openBackup(
  path: string,
  onBytes: (bytes: number) => void = () => {},
): Promise<OpenBackup> {
  if (path === '-') {
    if (process.stdin.isTTY) {
      throw fileUnreadable(
        'Standard input is a terminal. Send a file to the command, or name one.',
      );
    }
    return { size: undefined, pieces: decompress(process.stdin, onBytes) };
  }
  const file = await open(path).catch((error) => {
    throw cannotRead(path, error);
  });
  const { size } = await file.stat();
  const stream = createReadStream(path, { fd: file, highWaterMark: READ_BYTES });
  return { size, pieces: reportReadErrors(path, decompress(stream, onBytes)) };
}

const FORMATS: { name: string; magic: Buffer; create: () => Transform }[] = [
  { name: 'gzip', magic: Buffer.from('1f8b', 'hex'), create: () => zlib.createGunzip() },
  { name: 'zstd', magic: Buffer.from('28b52ffd', 'hex'), create: createZstdDecompressor },
];
const MAX_MAGIC_BYTES = 4;

async function* decompress(
  stream: Readable,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  const source = countBytes(stream, onBytes);
  try {
    let beginning = Buffer.alloc(0);
    while (beginning.length < MAX_MAGIC_BYTES) {
      const next = await source.next();
      if (next.done) break;
      beginning = Buffer.concat([beginning, next.value]);
    }
    const format = FORMATS.find(({ magic }) => beginning.indexOf(magic) === 0);
    if (beginning.length > 0 && !format) yield beginning;
    if (!format) yield* source;
    else yield* decompressAs(format.name, format.create(), prepend(beginning, source));
  } finally {
    stream.destroy();
  }
}

async function* decompressAs(
  name: string,
  decompressor: Transform,
  source: AsyncGenerator<Buffer>,
): AsyncGenerator<Buffer> {
  const piped = pipeline(Readable.from(source, { objectMode: false }), decompressor);
  piped.catch(() => {}); // reading reports it
  try {
    yield* decompressor;
  } catch (error) {
    if (!(error instanceof Error && 'errno' in error) || 'syscall' in error) throw error;
    throw unreadable(
      `The file is damaged or incomplete: its ${name} compression is invalid (${error.message}). Use another backup.`,
      error,
    );
  }
}

async function* countBytes(
  stream: Readable,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    bytes += piece.length;
    onBytes(bytes);
    yield piece;
  }
}

async function* prepend(beginning: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield beginning;
  yield* rest;
}

async function* reportReadErrors(
  path: string,
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  try {
    yield* pieces;
  } catch (error) {
    const isSystemError = error instanceof Error && 'syscall' in error;
    throw isSystemError ? cannotRead(path, error as NodeJS.ErrnoException) : error;
  }
}

/** Node 22.15 brought zstd. */
function createZstdDecompressor(): Transform {
  if (!('createZstdDecompress' in zlib)) {
    throw unreadable(
      `This version of Node.js (${process.version}) cannot read zstd. Use Node.js 22.15 or later, or decompress the file: ` +
        'zstd -dc <file> | npm run --silent foyer -- restore -',
    );
  }
  return (zlib.createZstdDecompress as () => Transform)();
}

/**
 * Writes a new file, compressed if its name ends with `.gz` or `.zst`, or to standard output without a path. The file
 * appears under its name only once it is complete and flushed to disk, and `verify` has read it under another one, which no other run
 * has. What killed runs for the same file have left is deleted first. The signal ends the writing, and leaves no file.
 * @throws CONFLICT if the file exists or cannot be written, BAD_REQUEST if this Node.js cannot write zstd, and what `verify` throws.
 */
export async function writeBackup(
  path: string | undefined,
  pieces: AsyncIterable<Buffer>,
  {
    signal,
    verify,
  }: {
    signal?: AbortSignal | undefined;
    verify?: (partial: string) => Promise<void>;
  } = {},
): Promise<void> {
  if (path === undefined) {
    await pipeline(pieces, process.stdout, { end: false });
    return;
  }
  assertCanCreate(path);
  const compressor = createCompressor(path);
  const partial = toPartialPath(path);
  const isOwn = (name: string) => findPartialTarget(name) === basename(path);
  signal?.throwIfAborted();
  try {
    await deleteAbandoned(dirname(resolve(path)), { isFile: isOwn }, new Date());
    // The file contains hashes of secrets. One that is there could be a link, or readable by others: then the writing fails.
    const file = await open(partial, 'wx', 0o600);
    await pipeline(pieces, compressor, file.createWriteStream({ flush: true }), { signal });
    await verify?.(partial);
    signal?.throwIfAborted();
    await giveName(partial, path);
    await flushDirectory(dirname(resolve(path)));
  } catch (error) {
    await rm(partial, { force: true });
    if (!(error instanceof Error && 'syscall' in error && 'path' in error)) throw error;
    throw fileNotWritten(`Cannot write ${path} (${(error as NodeJS.ErrnoException).code}).`);
  }
}

const CANNOT_LINK = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** Renames a file. Unlike `rename`, it does not replace one that another run has finished meanwhile, if the file system has links. */
async function giveName(partial: string, path: string): Promise<void> {
  try {
    await link(partial, path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw alreadyExists(path);
    if (!CANNOT_LINK.includes(code)) throw error;
    return rename(partial, path);
  }
  await rm(partial);
}

/** The name under which a file is written. No other run has the same. */
export const toPartialPath = (path: string): string =>
  `${path}.${randomBytes(6).toString('hex')}.partial`;

/** Older versions had no random part. */
const PARTIAL_NAME = /^(.+?)(\.[0-9a-f]{12})?\.partial$/;

/** Returns the name of the file that a partial one was to become, or undefined for other files. */
export const findPartialTarget = (name: string): string | undefined => PARTIAL_NAME.exec(name)?.[1];

/** @throws CONFLICT if the file exists or its directory does not. */
export function assertCanCreate(path: string): void {
  if (existsSync(path)) throw alreadyExists(path);
  if (!existsSync(dirname(resolve(path))))
    throw fileNotWritten(`The directory of ${path} does not exist. Create it first.`);
}

function createCompressor(path: string): Transform {
  if (path.endsWith('.gz')) return zlib.createGzip({ level: GZIP_LEVEL });
  if (!path.endsWith('.zst')) return new PassThrough();
  if (!('createZstdCompress' in zlib)) {
    throw new DomainError(
      'BAD_REQUEST',
      `This version of Node.js (${process.version}) cannot write zstd. Use Node.js 22.15 or later, or a name that ends with .gz.`,
      { reason: 'FILE_NOT_WRITTEN' },
    );
  }
  return (zlib.createZstdCompress as () => Transform)();
}

/** Otherwise, a power failure could undo the rename. */
async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

const fileUnreadable = (message: string) =>
  new DomainError('BAD_REQUEST', message, { reason: 'FILE_UNREADABLE' });

const cannotRead = (path: string, { code }: NodeJS.ErrnoException) =>
  fileUnreadable(`Cannot read ${path} (${code}). Check the path and its permissions.`);

const alreadyExists = (path: string) =>
  fileNotWritten(`${path} already exists. Choose another name, or delete the file.`);

const fileNotWritten = (message: string) =>
  new DomainError('CONFLICT', message, { reason: 'FILE_NOT_WRITTEN' });
