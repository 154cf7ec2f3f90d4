import { printable } from '../source/encoding.ts';

/** vCalendar 1.0, which old phones and Outlook still write, encodes texts in this way. */
export const isQuotedPrintable = (line: string) =>
  /^[^:]*;(ENCODING=)?QUOTED-PRINTABLE[;:]/i.test(line);

export function decodeQuotedPrintable(line: string): string {
  const colon = line.indexOf(':');
  const head = line.slice(0, colon);
  const charset = /CHARSET=([^;:]+)/i.exec(head)?.[1] ?? 'utf-8';
  const encoded = line.slice(colon + 1);
  const bytes = encoded.replace(/(=[0-9A-F]{2})+/gi, (run) => decoded(run, charset));
  return `${head.replace(/;(ENCODING=)?QUOTED-PRINTABLE/i, '')}:${bytes}`;
}

function decoded(run: string, charset: string): string {
  const bytes = Buffer.from(run.replaceAll('=', ''), 'hex');
  try {
    return printable(new TextDecoder(charset).decode(bytes));
  } catch {
    return printable(new TextDecoder('windows-1252').decode(bytes));
  }
}
