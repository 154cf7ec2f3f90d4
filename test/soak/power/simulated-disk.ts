import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { TraceRecord } from './trace.ts';

const PAGE_BYTES = 4096;
const SECTOR_BYTES = 512;

interface File {
  kind: 'file';
  /** What a flush has made durable. */
  durable: GrowingBuffer;
  pending: (
    | { index: number; type: 'write'; position: number; data: Buffer }
    | { index: number; type: 'truncate'; size: number }
  )[];
  createdAt: number;
}

type Entry = File | { kind: 'directory' };
type Names = Map<string, Entry>;

/** A change of names, in the order of the journal of the file system. */
interface NameChange {
  index: number;
  directories: string[];
  apply(names: Names): void;
}

/** What a power failure leaves of the changes that were not flushed. */
export interface Loss {
  /** A number from 0 to 1, different at each call. */
  random(): number;
  /** Whether all unflushed pages are lost and all names kept. */
  losesAllPages?: boolean;
}

/**
 * A disk with a cache that loses its content in a power failure. What was flushed stays. Of the rest, each page or sector of a
 * file can be lost by itself. Changes of names and sizes are kept in order up to some point, as by a journaling file system. A
 * flush of a file keeps the file's creation, one of a directory keeps the changes of its names, and both keep what came before
 * in the journal.
 */
export class SimulatedDisk {
  #index = 0;
  readonly #names: Names = new Map();
  readonly #durableNames: Names = new Map();
  #changes: NameChange[] = [];
  /** The last change of the journal that is on the disk. */
  #committed = -1;

  /** Adds the files of a directory, all of them durable. */
  load(directory: string): void {
    for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const added: Entry = entry.isDirectory()
        ? { kind: 'directory' }
        : {
            kind: 'file',
            durable: new GrowingBuffer(readFileSync(path)),
            pending: [],
            createdAt: -1,
          };
      this.#names.set(relative(directory, path), added);
      this.#durableNames.set(relative(directory, path), added);
    }
  }

  apply(record: TraceRecord): void {
    const index = this.#index;
    this.#index += 1;
    switch (record.op) {
      case 'response':
        break;
      case 'create': {
        const durable = new GrowingBuffer(Buffer.alloc(0));
        this.#add(record.path, { kind: 'file', durable, pending: [], createdAt: index });
        break;
      }
      case 'mkdir':
        this.#add(record.path, { kind: 'directory' });
        break;
      case 'unlink':
        this.#change([record.path], (names) => names.delete(record.path));
        break;
      case 'link':
        this.#change([record.to], (names) => copyName(names, record.path, record.to));
        break;
      case 'rename':
        this.#change([record.path, record.to], (names) => {
          copyName(names, record.path, record.to);
          names.delete(record.path);
        });
        break;
      case 'write': {
        const { position, data } = record;
        this.#file(record.path).pending.push({ index, type: 'write', position, data });
        break;
      }
      case 'truncate':
        this.#file(record.path).pending.push({ index, type: 'truncate', size: record.size });
        break;
      case 'fsync':
        this.#flush(record.path, record.start);
    }
  }

  /** Writes what a power failure would leave into a directory. */
  writeAfterFailure(directory: string, loss: Loss): void {
    const { random, losesAllPages = false } = loss;
    const last = losesAllPages ? this.#index : chooseBetween(this.#committed, this.#index, random);
    const names = new Map(this.#durableNames);
    for (const change of this.#changes) if (change.index <= last) change.apply(names);
    const unit = random() < 0.5 ? PAGE_BYTES : SECTOR_BYTES;
    mkdirSync(directory, { recursive: true });
    for (const [name, entry] of names) {
      const path = join(directory, name);
      if (entry.kind === 'directory') mkdirSync(path, { recursive: true });
      else {
        mkdirSync(dirname(path), { recursive: true });
        const share = losesAllPages ? 0 : (SHARES[Math.floor(random() * SHARES.length)] ?? 0);
        writeFileSync(path, toContentAfterFailure(entry, { share, last, unit, random }));
      }
    }
  }

  #add(path: string, entry: Entry): void {
    this.#change([path], (names) => names.set(path, entry));
  }

  #change(paths: string[], apply: (names: Names) => void): void {
    apply(this.#names);
    this.#changes.push({ index: this.#index - 1, directories: paths.map(toDirectory), apply });
  }

  #file(path: string): File {
    const entry = this.#names.get(path);
    if (entry?.kind !== 'file') throw new Error(`the trace changes ${path}, which is no file`);
    return entry;
  }

  #flush(path: string, start: number): void {
    const entry = path === '' ? undefined : this.#names.get(path);
    if (path !== '' && entry === undefined) return; // it was deleted meanwhile
    if (entry?.kind !== 'file') {
      const changes = this.#changes.filter(
        ({ index, directories }) => index < start && directories.includes(path),
      );
      this.#commit(changes.at(-1)?.index ?? -1);
      return;
    }
    const flushed = entry.pending.filter(({ index }) => index < start);
    entry.pending = entry.pending.filter(({ index }) => index >= start);
    let size = -1;
    for (const change of flushed) {
      if (change.type === 'write') entry.durable.write(change.data, change.position);
      else {
        entry.durable.truncate(change.size);
        size = change.index;
      }
    }
    this.#commit(Math.max(size, entry.createdAt < start ? entry.createdAt : -1));
  }

  #commit(index: number): void {
    if (index <= this.#committed) return;
    this.#committed = index;
    for (const change of this.#changes) if (change.index <= index) change.apply(this.#durableNames);
    this.#changes = this.#changes.filter((change) => change.index > index);
  }
}

/** The shares of the unflushed pages of a file that are kept. */
const SHARES = [0, 0, 0.5, 0.9, 1, 1];

/** Also chooses the two ends, which a uniform choice would miss. */
function chooseBetween(from: number, to: number, random: () => number): number {
  const kind = random();
  if (kind < 0.3) return from;
  return kind < 0.5 ? to : from + Math.floor(random() * (to - from + 1));
}

interface FileLoss {
  share: number;
  last: number;
  unit: number;
  random(): number;
}

function toContentAfterFailure(file: File, { share, last, unit, random }: FileLoss): Buffer {
  if (file.pending.length === 0) return file.durable.toBuffer();
  const content = new GrowingBuffer(file.durable.toBuffer());
  for (const change of file.pending) {
    if (change.type === 'truncate') {
      if (change.index <= last) content.truncate(change.size);
      continue;
    }
    const end = change.position + change.data.length;
    for (let at = change.position; at < end; ) {
      const next = Math.min(end, at - (at % unit) + unit);
      if (random() < share)
        content.write(change.data.subarray(at - change.position, next - change.position), at);
      at = next;
    }
  }
  return content.toBuffer();
}

class GrowingBuffer {
  #buffer: Buffer;
  #size: number;

  constructor(content: Buffer) {
    this.#buffer = Buffer.from(content);
    this.#size = content.length;
  }

  write(data: Buffer, position: number): void {
    this.#resize(Math.max(this.#size, position + data.length));
    data.copy(this.#buffer, position);
  }

  truncate(size: number): void {
    if (size < this.#size) this.#buffer.fill(0, size, this.#size);
    this.#resize(size);
  }

  toBuffer(): Buffer {
    return this.#buffer.subarray(0, this.#size);
  }

  #resize(size: number): void {
    if (size > this.#buffer.length) {
      const larger = Buffer.alloc(Math.max(size, Math.ceil(this.#buffer.length * 1.5)));
      this.#buffer.copy(larger, 0, 0, this.#size);
      this.#buffer = larger;
    }
    this.#size = size;
  }
}

function copyName(names: Names, from: string, to: string): void {
  const entry = names.get(from);
  if (entry) names.set(to, entry);
}

const toDirectory = (path: string) => {
  const directory = dirname(path);
  return directory === '.' ? '' : directory;
};
