import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { decode, singleByteForm } from '../source/encoding.ts';
import { unreadable } from '../source/unreadable.ts';

/** A row of a table and the line of the file where it begins. */
export interface Row {
  line: number;
  cells: string[];
}

/** The rows of a CSV file, the header first, without empty ones. Throws BAD_REQUEST, with the line, where it is broken. */
export function rowsIn(file: Uint8Array): Row[] {
  const text = decode(singleByteForm(file)).replace(/\r\n?/g, '\n');
  const declared = /^sep=(.)\n/i.exec(text)?.[1]; // Excel says so in the first line
  const body = declared ? text.replace(/^.*\n/, '\n') : text;
  const rows = parsed(body, declared ?? delimiterOf(body)).map(({ record, raw, info }) => ({
    line: info.lines - (raw.trim().match(/\n/g)?.length ?? 0),
    cells: record,
  }));
  return rows.filter(({ cells }) => cells.some((cell) => cell !== ''));
}

interface Parsed {
  record: string[];
  raw: string;
  info: { lines: number };
}

function parsed(text: string, delimiter: string): Parsed[] {
  let read = 0;
  const countLines = (row: Parsed) => {
    read = row.info.lines;
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
    }) as unknown as Parsed[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw unreadable(read + 1, 'From here on a quotation mark is opened and never closed.');
  }
}

/** What divides the header most often. */
function delimiterOf(text: string): string {
  const header =
    text
      .trimStart()
      .split('\n', 1)[0]
      ?.replace(/"[^"]*"/g, '') ?? '';
  const count = (delimiter: string) => header.split(delimiter).length;
  return [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0] ?? ',';
}
