import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { createUnreadableFileError, decodeText, toSingleByteEncoding } from './source-file.ts';

/** A row of a table, with the line of the file where it starts. */
export interface CsvRow {
  line: number;
  cells: string[];
}

/**
 * Parses a CSV file into rows, including the header and without empty ones.
 *
 * @throws BAD_REQUEST with the line
 */
export function parseCsv(file: Uint8Array): CsvRow[] {
  const text = decodeText(toSingleByteEncoding(file)).replace(/\r\n?/g, '\n');
  const declared = /^sep=(.)\n/i.exec(text)?.[1]; // Excel declares the delimiter in the first line
  const body = declared ? text.replace(/^.*\n/, '\n') : text;
  const rows = parseRecords(body, declared ?? detectDelimiter(body)).map(
    ({ record, raw, info }) => ({
      line: info.lines - (raw.trim().match(/\n/g)?.length ?? 0),
      cells: record,
    }),
  );
  return rows.filter(({ cells }) => cells.some((cell) => cell !== ''));
}

interface CsvRecord {
  record: string[];
  raw: string;
  info: { lines: number };
}

function parseRecords(text: string, delimiter: string): CsvRecord[] {
  let lastLine = 0;
  const countLines = (row: CsvRecord) => {
    lastLine = row.info.lines;
    return row;
  };
  try {
    return parse(text, {
      delimiter,
      info: true,
      raw: true,
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: 100_000,
      on_record: countLines as never,
    }) as unknown as CsvRecord[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw createUnreadableFileError(
      lastLine + 1,
      'A quotation mark on this line or below is never closed.',
    );
  }
}

/** Detects the delimiter: the character that divides the header most often. */
function detectDelimiter(text: string): string {
  const header =
    text
      .trimStart()
      .split('\n', 1)[0]
      ?.replace(/"[^"]*"/g, '') ?? '';
  const count = (delimiter: string) => header.split(delimiter).length;
  return [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0] ?? ',';
}
