import { DomainError } from '../../errors.ts';

const MAX_FILE_BYTES = 64 * 1024 * 1024;
const UTF8_BOM = [0xef, 0xbb, 0xbf];

const utf8Decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
// The superset of ISO-8859-1 that such files use in practice.
const windows1252Decoder = new TextDecoder('windows-1252');

/** Returns the file as UTF-8 or Windows-1252 bytes without a byte order mark; converts UTF-16 to UTF-8. */
export function toSingleByteEncoding(file: Uint8Array): Uint8Array {
  if (file.length > MAX_FILE_BYTES)
    throw createUnreadableFileError(1, 'The file is larger than 64 MB.');
  const utf16 = detectUtf16(file);
  const bytes = utf16 ? Buffer.from(new TextDecoder(utf16).decode(file)) : file;
  return UTF8_BOM.every((byte, at) => bytes[at] === byte) ? bytes.subarray(3) : bytes;
}

/** Decodes UTF-8, and invalid lines as Windows-1252: one stray byte affects only its line. */
export function decodeText(bytes: Uint8Array): string {
  const text = decodeStrictUtf8(bytes) ?? decodeTextByLine(bytes);
  return removeControlCharacters(text);
}

/** Removes control characters: PostgreSQL rejects NUL, and the others could control a terminal that shows them. */
export const removeControlCharacters = (text: string) => text.replace(/[^\P{Cc}\t\n\r]/gu, '');

function decodeTextByLine(bytes: Uint8Array): string {
  const lines = Buffer.from(bytes)
    .toString('latin1')
    .split(/(?<=\n)/);
  return lines
    .map((line) => Buffer.from(line, 'latin1'))
    .map((line) => decodeStrictUtf8(line) ?? windows1252Decoder.decode(line))
    .join('');
}

function decodeStrictUtf8(bytes: Uint8Array): string | null {
  try {
    return utf8Decoder.decode(bytes);
  } catch {
    return null;
  }
}

/** Detects UTF-16 by its byte order mark, or by the zero bytes of Latin text. */
function detectUtf16([first, second, third, fourth]: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first && second === 0 && third && fourth === 0) return 'utf-16le';
  if (first === 0 && second && third === 0 && fourth) return 'utf-16be';
  return null;
}

/** The error for a file that cannot be read at all, so that nothing is imported. */
export const createUnreadableFileError = (line: number, message: string) =>
  new DomainError('BAD_REQUEST', `Line ${line}: ${message}`, { reason: 'UNREADABLE_FILE', line });
