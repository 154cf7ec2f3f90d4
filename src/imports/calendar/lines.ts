import { decode, singleByteForm } from '../source/encoding.ts';
import { decodeQuotedPrintable, isQuotedPrintable } from './quoted-printable.ts';

/** One property of the file, unfolded. `line` is where it begins. */
export interface LogicalLine {
  line: number;
  text: string;
}

/** Unfolds before it decodes, since some programs fold in the middle of a character. */
export function logicalLines(file: Uint8Array): LogicalLine[] {
  const folded = Buffer.from(singleByteForm(file)).toString('latin1');
  const unfolded = unfold(folded.split(/\r\n|\n|\r/));
  const texts = decode(Buffer.from(unfolded.map(({ text }) => text).join('\n'), 'latin1')).split(
    '\n',
  );
  return unfolded.map(({ line }, index) => ({ line, text: finished(texts[index] ?? '') }));
}

function unfold(physical: string[]): LogicalLine[] {
  const lines: { line: number; parts: string[]; goesOn: boolean }[] = [];
  for (const [index, text] of physical.entries()) {
    const open = lines.at(-1);
    if (open?.goesOn) {
      open.goesOn = text.endsWith('=');
      open.parts.push(open.goesOn ? text.slice(0, -1) : text);
    } else if (open && /^[ \t]/.test(text)) {
      open.parts.push(text.slice(1));
    } else if (text.trim() !== '') {
      const goesOn = isQuotedPrintable(text) && text.endsWith('=');
      lines.push({ line: index + 1, parts: [goesOn ? text.slice(0, -1) : text], goesOn });
    }
  }
  return lines.map(({ line, parts }) => ({ line, text: parts.join('') }));
}

function finished(text: string): string {
  const bare = text.replace(/^\uFEFF/, '');
  return isQuotedPrintable(bare) ? decodeQuotedPrintable(bare) : bare;
}
