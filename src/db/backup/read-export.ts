import { createHash, type Hash } from 'node:crypto';
import type { z } from 'zod';
import { DomainError } from '../../errors.ts';
import type { TableColumns } from '../row-copier.ts';
import {
  type ExportHead,
  endSchema,
  FIRST_FORMAT,
  firstEndSchema,
  headSchema,
  tableSchema,
  unreadable,
} from './format.ts';

export type ExportPart =
  | { kind: 'head'; head: ExportHead }
  /** Rows of this table follow. */
  | { kind: 'table'; table: TableColumns }
  /** A piece of the rows of the table, in the text format of COPY. */
  | { kind: 'rows'; piece: Buffer }
  /** Rows of the first format as JSON texts, all of one table. */
  | { kind: 'records'; table: string; records: string[] }
  /** The number of rows of each table. The file is complete and, in the current format, unchanged. */
  | { kind: 'end'; rows: Record<string, number> };

/** A table has no longer name, and a file of another kind may have no lines. */
const MAX_HEAD_BYTES = 1024 ** 2;
/** Only the rows of the first format are lines that are read as a whole. */
const MAX_LINE_BYTES = 64 * 1024 ** 2;
const BATCH_BYTES = 1024 ** 2;

const NEW_LINE = 0x0a;
const BACKSLASH = 0x5c;
const DOT = 0x2e;

/**
 * Reads the pieces of an export file, which can end anywhere, and checks the file on the way. What it yields can be trusted
 * only once it has yielded the end.
 * @throws BAD_REQUEST if the file is not an export, is incomplete or was changed, CONFLICT if its format is newer.
 */
export async function* readExport(pieces: AsyncIterable<Buffer>): AsyncGenerator<ExportPart> {
  const reader = new ExportReader();
  for await (const piece of pieces) yield* reader.read(piece);
  yield* reader.finish();
}

class ExportReader {
  private head: ExportHead | undefined;
  private hasEnded = false;
  private readonly hash: Hash = createHash('sha256');
  private readonly counts = new Map<string, number>();
  private lineNumber = 1;
  /** The table whose rows are being read, in the current format. */
  private table: string | undefined;
  /** The beginning of a line whose end is in a later piece. */
  private incomplete: Buffer[] = [];
  private isAtLineStart = true;
  private batch: { table: string; records: string[]; bytes: number } | undefined;

  *read(piece: Buffer): Generator<ExportPart> {
    let rest = piece;
    while (rest.length > 0) {
      if (this.hasEnded) throw unreadable('The file goes on after its end. Use another backup.');
      rest = this.table === undefined ? yield* this.readLine(rest) : yield* this.readRows(rest);
    }
  }

  *finish(): Generator<ExportPart> {
    if (!this.head && this.incomplete.length === 0) throw unreadable('The file is empty.');
    if (!this.head) throw describeForeignFile(Buffer.concat(this.incomplete));
    if (!this.hasEnded) {
      const where = this.table === undefined ? `line ${this.lineNumber}` : `table ${this.table}`;
      throw unreadable(`The file is incomplete: it ends in ${where}. Use another backup.`);
    }
    yield { kind: 'end', rows: Object.fromEntries(this.counts) };
  }

  /** Reads up to the end of a line, and returns what comes after it. */
  private *readLine(piece: Buffer): Generator<ExportPart, Buffer> {
    const end = piece.indexOf(NEW_LINE);
    this.incomplete.push(end < 0 ? piece : piece.subarray(0, end));
    const bytes = this.incomplete.reduce((sum, { length }) => sum + length, 0);
    if (bytes > (this.head ? MAX_LINE_BYTES : MAX_HEAD_BYTES)) {
      throw this.head ? this.invalidLine() : describeForeignFile(Buffer.concat(this.incomplete));
    }
    if (end < 0) return piece.subarray(piece.length);
    const line = Buffer.concat(this.incomplete);
    this.incomplete = [];
    yield* this.parseLine(line);
    this.lineNumber += 1;
    return piece.subarray(end + 1);
  }

  private *parseLine(line: Buffer): Generator<ExportPart> {
    if (!this.head) {
      this.head = parseHead(line);
      yield { kind: 'head', head: this.head };
    } else if (this.head.format === FIRST_FORMAT) {
      yield* this.parseFirstFormat(line);
      return;
    } else {
      const entry = this.parse(tableSchema.or(endSchema), line);
      if ('end' in entry) return this.checkEnd(entry);
      if (this.counts.has(entry.table)) throw this.invalidLine();
      this.counts.set(entry.table, 0);
      this.table = entry.table;
      yield { kind: 'table', table: { name: entry.table, columns: entry.columns } };
    }
    this.hash.update(line).update('\n');
  }

  private checkEnd({ rows, sha256 }: z.output<typeof endSchema>): void {
    const isComplete =
      Object.keys(rows).length === this.counts.size &&
      [...this.counts].every(([table, count]) => rows[table] === count);
    if (!isComplete || this.hash.digest('hex') !== sha256) {
      throw unreadable('The file was changed: its checksum does not match. Use another backup.');
    }
    this.hasEnded = true;
  }

  /** Reads rows up to the end of the table or of the piece, and returns what comes after them. */
  private *readRows(piece: Buffer): Generator<ExportPart, Buffer> {
    const bytes = Buffer.concat([...this.incomplete, piece]);
    this.incomplete = [];
    let end = 0;
    let next = bytes.length;
    let rowCount = 0;
    while (end < bytes.length) {
      if (this.isAtLineStart && bytes[end] === BACKSLASH) {
        const isCut = end + 2 >= bytes.length;
        if (isCut && (end + 1 >= bytes.length || bytes[end + 1] === DOT)) {
          this.incomplete = [bytes.subarray(end)];
          break;
        }
        if (bytes[end + 1] === DOT && bytes[end + 2] === NEW_LINE) {
          next = end + 3;
          break;
        }
      }
      const lineEnd = bytes.indexOf(NEW_LINE, end);
      this.isAtLineStart = lineEnd >= 0;
      if (this.isAtLineStart) rowCount += 1;
      end = lineEnd < 0 ? bytes.length : lineEnd + 1;
    }
    const table = this.table ?? '';
    this.counts.set(table, (this.counts.get(table) ?? 0) + rowCount);
    this.lineNumber += rowCount;
    if (end > 0) yield { kind: 'rows', piece: bytes.subarray(0, end) };
    const isTableComplete = this.incomplete.length === 0 && end < bytes.length;
    this.hash.update(bytes.subarray(0, isTableComplete ? next : end));
    if (!isTableComplete) return bytes.subarray(bytes.length);
    this.table = undefined;
    this.lineNumber += 1;
    return bytes.subarray(next);
  }

  /** Does not parse the row for PostgreSQL, since numbers in JavaScript are less precise. */
  private *parseFirstFormat(line: Buffer): Generator<ExportPart> {
    if (line.length === 0) return;
    const text = this.decode(line);
    const [, table, record] = /^\{"table":"([a-z_][a-z0-9_]*)","row":(\{.*\})\}$/.exec(text) ?? [];
    if (table === undefined || record === undefined) {
      const { rows } = this.parse(firstEndSchema, line);
      yield* this.takeBatch();
      const counted = [...this.counts.values()].reduce((sum, count) => sum + count, 0);
      if (rows !== counted) {
        throw unreadable(`The file has ${counted} rows instead of ${rows}. Use another backup.`);
      }
      this.hasEnded = true;
      return;
    }
    if (!isJson(record)) throw this.invalidLine();
    if (this.batch?.table !== table) yield* this.takeBatch();
    this.batch ??= { table, records: [], bytes: 0 };
    this.batch.records.push(record);
    this.batch.bytes += line.length;
    this.counts.set(table, (this.counts.get(table) ?? 0) + 1);
    if (this.batch.bytes > BATCH_BYTES) yield* this.takeBatch();
  }

  private *takeBatch(): Generator<ExportPart> {
    const { batch } = this;
    this.batch = undefined;
    if (batch) yield { kind: 'records', table: batch.table, records: batch.records };
  }

  private parse<Schema extends z.ZodType>(schema: Schema, line: Buffer): z.output<Schema> {
    try {
      return schema.parse(JSON.parse(this.decode(line)));
    } catch {
      throw this.invalidLine();
    }
  }

  private decode(line: Buffer): string {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(line);
    } catch {
      throw this.invalidLine();
    }
  }

  private invalidLine = () =>
    unreadable(`Line ${this.lineNumber} of the file is invalid. Use another backup.`);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** @throws CONFLICT if the format is newer. */
function parseHead(line: Buffer): ExportHead {
  let head: unknown;
  try {
    head = JSON.parse(line.toString('utf8'));
  } catch {
    throw describeForeignFile(line);
  }
  const parsed = headSchema.safeParse(head);
  if (parsed.success) return parsed.data;
  const { format, version } = (head ?? {}) as { format?: unknown; version?: unknown };
  if (typeof format === 'string' && /^foyer-export-\d+$/.test(format)) {
    throw new DomainError(
      'CONFLICT',
      `A newer version of Foyer created the file${typeof version === 'string' ? `: ${version}` : ''}. ` +
        'Restore it with that version or a later one.',
      { reason: 'EXPORT_VERSION' },
    );
  }
  throw describeForeignFile(line);
}

const FOREIGN_FILES: [beginning: string, kind: string][] = [
  ['PGDMP', 'of pg_dump. Restore it with pg_restore'],
  ['--\n-- PostgreSQL database', 'of pg_dump. Restore it with psql'],
  ['--', 'with SQL. Restore it with psql'],
  ['%PDF', 'in PDF format. Choose a file of `foyer export`'],
  ['PK', 'in ZIP format. Unpack it first'],
  ['\xfd7zXZ', 'compressed with xz. Decompress it first: xz -dc <file> | foyer restore -'],
  ['BZh', 'compressed with bzip2. Decompress it first: bzip2 -dc <file> | foyer restore -'],
];

function describeForeignFile(beginning: Buffer): DomainError {
  const text = beginning.subarray(0, 100).toString('latin1');
  const known = FOREIGN_FILES.find(([start]) => text.startsWith(start));
  return unreadable(
    known
      ? `This is a file ${known[1]}.`
      : 'The file is not a Foyer export, or its beginning is missing. Choose a file of `foyer export`.',
  );
}
