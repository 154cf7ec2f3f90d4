import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';

interface StaticFile {
  content: Buffer;
  /** The copy in gzip that the build stores beside each large text. */
  compressed: Buffer | undefined;
}

const MAX_KEPT_BYTES = 16_000_000;

/**
 * Serves the files of a directory whose names change with their content. It reads a file without libuv's threads, on which hashes of
 * passwords and compression wait too, and keeps it in memory: pages load while these threads are busy.
 */
export function serveImmutableFiles(directory: string): RequestHandler {
  const names = new Set(existsSync(directory) ? readdirSync(directory) : []);
  const kept = new LRUCache<string, StaticFile>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ content, compressed }) => content.length + (compressed?.length ?? 0) + 1,
  });
  const read = (name: string): StaticFile => {
    const compressed = names.has(`${name}.gz`) ? readFileSync(`${directory}${name}.gz`) : undefined;
    const file = { content: readFileSync(directory + name), compressed };
    kept.set(name, file);
    return file;
  };
  return (req, res, next) => {
    const name = req.path.slice(1);
    if (!names.has(name)) return next();
    const { content, compressed } = kept.get(name) ?? read(name);
    res.set({
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    if (compressed) res.vary('accept-encoding');
    const isCompressed = compressed !== undefined && req.acceptsEncodings('gzip') !== false;
    if (isCompressed) res.set('content-encoding', 'gzip');
    res.type(extname(name)).send(isCompressed ? compressed : content);
  };
}
