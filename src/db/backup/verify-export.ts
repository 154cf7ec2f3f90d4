import { readMigrations } from '../migrations.ts';
import { type ExportHead, FIRST_FORMAT } from './format.ts';
import { readExport } from './read-export.ts';
import { splitMigrations } from './restore-schema.ts';

interface VerifiedExport {
  /** The version of Foyer that created the file, null for old ones. */
  version: string | null;
  /** Without a checksum, only the number of rows was checked. */
  hasChecksum: boolean;
  rows: Record<string, number>;
}

/**
 * Checks that an export is complete and unchanged, and that this version can restore it.
 * @throws BAD_REQUEST and CONFLICT as `restoreDatabase`.
 */
export async function verifyExport(pieces: AsyncIterable<Buffer>): Promise<VerifiedExport> {
  let head: ExportHead | undefined;
  let rows: Record<string, number> = {};
  for await (const part of readExport(pieces)) {
    if (part.kind === 'head') {
      head = part.head;
      splitMigrations(head, readMigrations());
    }
    if (part.kind === 'end') rows = part.rows;
  }
  return { version: head?.version ?? null, hasChecksum: head?.format !== FIRST_FORMAT, rows };
}
