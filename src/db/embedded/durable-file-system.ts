import fs from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** An open file of Emscripten's NODEFS. */
interface Stream {
  /** The file descriptor of Node. */
  nfd: number;
  node: { name: string; parent: { name: string } };
  shared: { refcount: number };
}

type Operation<Arguments extends unknown[]> = (...args: Arguments) => unknown;

/** The operations of Emscripten's NODEFS that this file replaces. */
interface EmscriptenNodeFs {
  tryFSOperation<T>(operation: () => T): T;
  stream_ops: {
    fsync?: Operation<[Stream]>;
    close: Operation<[Stream]>;
    write: Operation<[Stream, ...unknown[]]>;
    setattr: Operation<[Stream, ...unknown[]]>;
    msync: Operation<[Stream, ...unknown[]]>;
  };
  node_ops: Record<(typeof CHANGING_NODE_OPERATIONS)[number], Operation<unknown[]>>;
}

const CHANGING_NODE_OPERATIONS = [
  'setattr',
  'mknod',
  'rename',
  'unlink',
  'rmdir',
  'symlink',
] as const;

/**
 * PGlite's file system with the flushes that PostgreSQL asks for. PGlite's own ignores them.
 *
 * A flush of the write-ahead log is postponed, so that the event loop does not wait for the disk and commits share a flush:
 * PostgreSQL continues at once, and whoever delivers its response first awaits `flushLog`. This keeps the order that recovery
 * depends on, because every change of another file first completes the postponed flushes, synchronously. A power failure can
 * therefore only lose the end of the log, which nobody has seen, and never leaves a page newer than the log.
 */
export class DurableFileSystem extends NodeFS {
  /** The descriptors of log files with a postponed flush. */
  readonly #unflushed = new Set<number>();
  /** Descriptors that a running flush uses, and that must stay open until it ends. */
  readonly #flushing = new Set<number>();
  readonly #closeLater = new Set<number>();
  #requested = 0;
  #completed = 0;
  #flush: Promise<void> | undefined;
  #failure: Error | undefined;

  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...args);
    const install = (module: PGlite['Module']) => {
      this.#replaceOperations(module.NODEFS as unknown as EmscriptenNodeFs);
    };
    return {
      emscriptenOpts: { ...emscriptenOpts, preRun: [install, ...(emscriptenOpts.preRun ?? [])] },
    };
  }

  override async closeFs(): Promise<void> {
    this.#completeFlushes();
    await this.#flush;
    await super.closeFs();
  }

  /** Whether a response must wait: a flush of the log has not been completed, or is running and can still fail. */
  isFlushPending(): boolean {
    return this.#isIncomplete() || this.#flush !== undefined || this.#failure !== undefined;
  }

  #isIncomplete(): boolean {
    return this.#completed < this.#requested;
  }

  /**
   * Waits until everything is on the disk that PostgreSQL has asked to flush so far. Callers at the same time share a flush.
   * @throws the error of the disk. The database must then be reopened, since nobody knows what the disk has.
   */
  async flushLog(): Promise<void> {
    const target = this.#requested;
    // The system reports an error of the disk once, maybe only to the flush that is running.
    await this.#flush;
    while (this.#completed < target) {
      this.#flush ??= this.#flushInBackground().finally(() => {
        this.#flush = undefined;
      });
      await this.#flush;
    }
    this.#assertIntact();
  }

  async #flushInBackground(): Promise<void> {
    const target = this.#requested;
    const descriptors = [...this.#unflushed];
    for (const descriptor of descriptors) {
      this.#unflushed.delete(descriptor);
      this.#flushing.add(descriptor);
    }
    try {
      await Promise.all(descriptors.map(flushDescriptor));
      this.#completed = Math.max(this.#completed, target);
    } catch (error) {
      throw this.#fail(error);
    } finally {
      for (const descriptor of descriptors) {
        this.#flushing.delete(descriptor);
        if (this.#closeLater.delete(descriptor)) fs.closeSync(descriptor);
      }
    }
  }

  /** Blocks until the postponed flushes are done, including those that are running in the background. */
  #completeFlushes(): void {
    this.#assertIntact();
    if (!this.#isIncomplete()) return;
    try {
      for (const descriptor of [...this.#unflushed, ...this.#flushing]) fs.fsyncSync(descriptor);
    } catch (error) {
      throw this.#fail(error);
    }
    this.#unflushed.clear();
    this.#completed = this.#requested;
  }

  /** After a failed flush, the next one can succeed although the system has dropped the data. So all further ones fail. */
  #fail(error: unknown): Error {
    this.#failure ??= error instanceof Error ? error : new Error(String(error));
    return this.#failure;
  }

  #assertIntact(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  #replaceOperations({ stream_ops, node_ops, tryFSOperation }: EmscriptenNodeFs): void {
    const { close, write, setattr } = stream_ops;
    const completeFlushes = () => tryFSOperation(() => this.#completeFlushes());

    stream_ops.fsync = (stream) => {
      if (isLogFile(stream)) {
        tryFSOperation(() => this.#assertIntact());
        this.#unflushed.add(stream.nfd);
        this.#requested += 1;
      } else {
        completeFlushes();
        tryFSOperation(() => fs.fsyncSync(stream.nfd));
      }
      return 0;
    };
    stream_ops.write = (stream, ...rest) => {
      if (!isLogFile(stream)) completeFlushes();
      return write(stream, ...rest);
    };
    stream_ops.setattr = (stream, ...rest) => {
      completeFlushes();
      return setattr(stream, ...rest);
    };
    // PostgreSQL uses it as a hint to write early, for files that it has opened for reading. A flush follows.
    stream_ops.msync = () => 0;
    stream_ops.close = (stream) => {
      if (this.#unflushed.has(stream.nfd)) completeFlushes();
      if (!this.#flushing.has(stream.nfd)) return close(stream);
      stream.shared.refcount -= 1;
      if (stream.shared.refcount === 0) this.#closeLater.add(stream.nfd);
    };
    for (const name of CHANGING_NODE_OPERATIONS) {
      const operate = node_ops[name];
      node_ops[name] = (...args) => {
        completeFlushes();
        return operate(...args);
      };
    }
  }
}

/** A segment of the write-ahead log. New segments have another name until they are complete. */
const isLogFile = ({ node }: Stream) =>
  node.parent.name === 'pg_wal' && /^[0-9A-F]{24}$/.test(node.name);

const flushDescriptor = (descriptor: number) =>
  new Promise<void>((resolve, reject) => {
    fs.fsync(descriptor, (error) => (error ? reject(error) : resolve()));
  });
