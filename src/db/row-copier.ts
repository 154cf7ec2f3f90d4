import type pg from 'pg';

/**
 * Copies rows in the text format of PostgreSQL's COPY: one line per row, with escaped line breaks. The client is in a
 * transaction.
 */
export interface RowCopier {
  /** Reads all rows of a table, in pieces that can end anywhere in a row. */
  readRows(client: pg.PoolClient, table: TableColumns): AsyncIterable<Buffer>;
  /** Starts to write rows into a table that was truncated in the same transaction. */
  writeRows(client: pg.PoolClient, table: TableColumns): RowWriter;
}

export interface TableColumns {
  name: string;
  columns: string[];
}

/** Its methods wait for each other: call the next one after the last one is done. */
export interface RowWriter {
  /** Takes a piece that can end anywhere in a row. */
  write(piece: Buffer): Promise<void>;
  /** Writes what is left and returns the number of rows. */
  finish(): Promise<number>;
  /** Ends an unfinished copy. The transaction fails and must be rolled back. */
  abort(): Promise<void>;
}

// Both ends name the encoding, because that of the session can differ.
const TEXT_FORMAT = "FORMAT text, ENCODING 'UTF8'";

export const toReadRowsSql = ({ name, columns }: TableColumns, target: string, condition: string) =>
  `COPY (SELECT ${toList(columns)} FROM "${name}" ${condition}) TO ${target} WITH (${TEXT_FORMAT})`;

/** Writes frozen rows, which no later VACUUM has to write again. */
export const toWriteRowsSql = ({ name, columns }: TableColumns, source: string) =>
  `COPY "${name}" (${toList(columns)}) FROM ${source} WITH (${TEXT_FORMAT}, FREEZE)`;

const toList = (columns: string[]) => columns.map((column) => `"${column}"`).join(', ');
