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
  const rows = parseRows(body, declared ?? detectDelimiter(body));
  return rows.filter(({ cells }) => cells.some((cell) => cell !== ''));
}

function parseRows(text: string, delimiter: string): CsvRow[] {
  const rows: CsvRow[] = [];
  let lastLine = 0;
  try {
    parse(text, {
      delimiter,
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: 100_000,
      on_record: (cells: string[], { lines }) => {
        lastLine = lines;
        rows.push({ line: lines - countLineBreaks(cells), cells });
        return null; // rows are collected here, with their lines
      },
    });
    return rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw createUnreadableFileError(
      lastLine + 1,
      'A quotation mark on this line or below is never closed.',
    );
  }
}

/** Only quoted cells can contain line breaks, which are part of the row. */
const countLineBreaks = (cells: string[]) => cells.join('').split('\n').length - 1;

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
