import { z } from 'zod';
import { DomainError } from '../../errors.ts';

// The format of export files, see docs/decisions/0021-backup-format.md.

export const FORMAT = 'foyer-export-2';
/** Each row is a line of JSON. The file has no checksum. */
export const FIRST_FORMAT = 'foyer-export-1';

/** Ends the rows of a table. A row never looks like this, because backslashes in rows are escaped. */
export const END_OF_ROWS = '\\.';

/** The first line. */
export const headSchema = z.object({
  format: z.enum([FORMAT, FIRST_FORMAT]),
  /** Of Foyer. */
  version: z.string().optional(),
  /** The migrations of the database, oldest first. */
  migrations: z.array(z.string()),
});
export type ExportHead = z.output<typeof headSchema>;

const nameSchema = z.string().regex(/^[a-z_][a-z0-9_]*$/);

/** Comes before the rows of a table. */
export const tableSchema = z.strictObject({
  table: nameSchema,
  columns: z.array(nameSchema).min(1),
});

/** The last line. */
export const endSchema = z.strictObject({
  end: z.literal(true),
  /** The number of rows of each table. */
  rows: z.record(z.string(), z.int()),
  /** Of all bytes before this line, in hexadecimal. */
  sha256: z.string(),
});

/** The last line of a file in the first format. */
export const firstEndSchema = z.strictObject({ end: z.literal(true), rows: z.int() });

export const unreadable = (message: string, cause?: unknown) =>
  new DomainError('BAD_REQUEST', message, { reason: 'EXPORT_UNREADABLE' }, { cause });
