import type { PGlite } from '@electric-sql/pglite';
import { type RowCopier, toReadRowsSql, toWriteRowsSql } from '../row-copier.ts';

const NEW_LINE = 0x0a;
/** How much a statement reads at once. Rows can be larger, because PostgreSQL stores long values elsewhere. */
const PAGES_PER_READ = 128;
/** How much a statement writes at once. */
const WRITE_BYTES = 4 * 1024 ** 2;
/** The write-ahead log does not shrink without checkpoints. */
const CHECKPOINT_BYTES = 64 * 1024 ** 2;

/**
 * Copies rows from and to the embedded database. It copies from and to blobs in memory, so each statement copies a part of
 * the table. The transaction of the client contains these statements too, because the database has a single session.
 */
export function createEmbeddedRowCopier(getDatabase: () => PGlite): RowCopier {
  let writtenBytes = 0;
  return {
    readRows: async function* (client, table) {
      const { rows } = await client.query<{ pages: number }>(
        `SELECT (pg_relation_size('"${table.name}"') / current_setting('block_size')::int)::int AS pages`,
      );
      const pages = rows[0]?.pages ?? 0;
      for (let page = 0; page < pages; page += PAGES_PER_READ) {
        const range = `WHERE ctid >= '(${page},0)' AND ctid < '(${page + PAGES_PER_READ},0)'`;
        const { blob } = await getDatabase().query(toReadRowsSql(table, "'/dev/blob'", range));
        if (blob && blob.size > 0) yield Buffer.from(await blob.arrayBuffer());
      }
    },

    writeRows: (_client, table) => {
      let pieces: Buffer[] = [];
      let bytes = 0;
      let rowCount = 0;
      const flush = async (isLast: boolean) => {
        const text = Buffer.concat(pieces);
        const end = isLast ? text.length : text.lastIndexOf(NEW_LINE) + 1;
        if (end > 0) {
          const blob = new Blob([text.subarray(0, end)]);
          const sql = toWriteRowsSql(table, "'/dev/blob'");
          rowCount += (await getDatabase().query(sql, [], { blob })).affectedRows ?? 0;
          writtenBytes += end;
        }
        pieces = [text.subarray(end)];
        bytes = text.length - end;
        if (writtenBytes < CHECKPOINT_BYTES) return;
        writtenBytes = 0;
        await getDatabase().query('CHECKPOINT');
      };
      return {
        write: async (piece) => {
          pieces.push(piece);
          bytes += piece.length;
          if (bytes >= WRITE_BYTES) await flush(false);
        },
        finish: async () => {
          await flush(true);
          return rowCount;
        },
        abort: async () => {},
      };
    },
  };
}
