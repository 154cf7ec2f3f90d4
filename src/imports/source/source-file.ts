import { detectUtf16 } from '../../core/decode-file.ts';
import { DomainError } from '../../errors.ts';

const MAX_FILE_BYTES = 64 * 1024 * 1024;
const UTF8_BOM = [0xef, 0xbb, 0xbf];

/** Returns the file without a byte order mark; converts UTF-16 to UTF-8. */
export function toSingleByteEncoding(file: Uint8Array): Uint8Array {
  assertFileSize(file);
  const utf16 = detectUtf16(file);
  const bytes = utf16 ? Buffer.from(new TextDecoder(utf16).decode(file)) : file;
  return UTF8_BOM.every((byte, at) => bytes[at] === byte) ? bytes.subarray(3) : bytes;
}

/** @throws BAD_REQUEST for a file that is larger than any list */
export function assertFileSize({ length }: { length: number }): void {
  if (length > MAX_FILE_BYTES) throw createUnreadableFileError(1, 'The file is larger than 64 MB.');
}

const PIECE_BYTES = 64 * 1024;

/** Reads a file in memory in pieces, as one on a disk. */
export const toReadFile = (file: Uint8Array) =>
  async function* (): AsyncGenerator<Uint8Array> {
    for (let from = 0; from < file.length; from += PIECE_BYTES)
      yield file.subarray(from, from + PIECE_BYTES);
  };

/** What a file begins with that someone took for a text, so that the error can name it. */
const KNOWN_STARTS: readonly [start: string, name: string][] = [
  ['PK\u0003\u0004', 'an Excel workbook or a ZIP archive'],
  ['PK\u0005\u0006', 'an empty ZIP archive'],
  ['\u00d0\u00cf\u0011\u00e0', 'an old Excel or Outlook file'],
  ['!BDN', 'an Outlook data file'],
  ['\u001f\u008b', 'a compressed file'],
  ['7z\u00bc\u00af', 'a compressed file'],
  ['Rar!', 'a compressed file'],
  ['%PDF', 'a PDF'],
  ['SQLite format 3', 'a database'],
  ['\u0089PNG', 'a picture'],
  ['\u00ff\u00d8\u00ff', 'a picture'],
];

/**
 * Rejects a file that is not a text, by its first bytes.
 *
 * @throws BAD_REQUEST that names what it is, and says what to export instead
 */
export function assertIsText(file: Uint8Array, expected: 'CSV' | 'iCalendar'): void {
  const start = Buffer.from(file.subarray(0, 512)).toString('latin1');
  const known = KNOWN_STARTS.find(([known]) => start.startsWith(known))?.[1];
  const markup = /^(?:\u00ef\u00bb\u00bf)?\s*(<(?:!doctype|html|\?xml)|[{[]\s*["{[\]}])/i.exec(
    start,
  )?.[1];
  const kind = known ?? (markup && (markup.startsWith('<') ? 'a web page or XML' : 'JSON'));
  if (!kind) return;
  const advice =
    expected === 'CSV'
      ? 'Save the list as CSV, then choose that file.'
      : 'Export the calendar as iCalendar (.ics), and unpack it if it is an archive.';
  throw createUnreadableFileError(1, `The file is ${kind}, not ${expected}. ${advice}`);
}

/** The error for a file that cannot be read at all, so that nothing is imported. `columns` are those of its header, for people who choose what they contain. */
export const createUnreadableFileError = (line: number, message: string, columns?: string[]) =>
  new DomainError('BAD_REQUEST', `Line ${line}: ${message}`, {
    reason: 'UNREADABLE_FILE',
    line,
    ...(columns && { columns }),
  });
