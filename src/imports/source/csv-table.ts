import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { Encoding } from './encoding.ts';
import type { ImportNote } from './note.ts';
import { type ReadFile, readText } from './read-text.ts';
import { assertIsText, createUnreadableFileError } from './source-file.ts';

/** A row of a table, with the line of the file where it starts. */
export interface CsvRow {
  line: number;
  cells: string[];
}

export interface CsvTable {
  header: CsvRow;
  /** The rows below the header, without empty ones, while they are read. */
  rows: AsyncIterable<CsvRow>;
  encoding: Encoding;
  /** What there is to say about the characters of the file, once all rows are read. */
  listNotes: () => ImportNote[];
}

const MAX_RECORD_CHARACTERS = 100_000;

/**
 * Reads a CSV file row by row, however large it is.
 *
 * @throws BAD_REQUEST, with the line, also while the rows are read
 */
export async function readCsv(readFile: ReadFile, encoding?: Encoding): Promise<CsvTable> {
  for await (const piece of readFile()) {
    assertIsText(piece, 'CSV');
    break;
  }
  const text = await readText(readFile, encoding);
  const rows = parseRows(text.pieces)[Symbol.asyncIterator]();
  const first = await rows.next();
  if (first.done) throw createUnreadableFileError(1, 'The file is empty.');
  return {
    header: first.value,
    rows: { [Symbol.asyncIterator]: () => rows },
    encoding: text.encoding,
    listNotes: text.listNotes,
  };
}

async function* parseRows(pieces: AsyncIterable<string>): AsyncGenerator<CsvRow, void> {
  const iterator = pieces[Symbol.asyncIterator]();
  let start = '';
  for (let isBlank = true; isBlank; ) {
    const next = await iterator.next();
    if (next.done) break;
    start += next.value;
    isBlank = !/\S/.test(next.value);
  }
  const declared = /^sep=(.)\n/i.exec(start)?.[1]; // Excel declares the delimiter in the first line
  const body = declared ? start.replace(/^.*\n/, '\n') : start;
  let lastLine = 0;
  const parser = parse({
    delimiter: declared ?? detectDelimiter(body),
    trim: true,
    skip_empty_lines: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_RECORD_CHARACTERS,
    // The types of the library want cells here, but any record goes through.
    on_record: ((cells: string[], { lines }: { lines: number }): CsvRow => {
      lastLine = lines;
      return { line: lines - countLineBreaks(cells), cells };
    }) as never,
  });
  // An error of either appears where the rows are read.
  pipeline(Readable.from(prepend(body, iterator)), parser, () => {});
  try {
    for await (const row of parser as AsyncIterable<CsvRow>)
      if (row.cells.some((cell) => cell !== '')) yield row;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw createUnreadableFileError(
      lastLine + 1,
      'A quotation mark on this line or below is never closed.',
    );
  }
}

async function* prepend(start: string, pieces: AsyncIterator<string>): AsyncIterable<string> {
  yield start;
  yield* { [Symbol.asyncIterator]: () => pieces };
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
