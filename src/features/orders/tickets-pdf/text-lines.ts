import type PDFDocument from 'pdfkit';
import { type Fonts, listGraphemes, splitByFont, type TextRun } from './fonts.ts';
import { type Direction, findDirection, listVisualPieces } from './visual-order.ts';

type Document = InstanceType<typeof PDFDocument>;

/** How to show a text. Lengths are in points. */
export interface TextStyle {
  weight: 'regular' | 'bold';
  size: number;
  color?: string;
  /** Default: left. */
  align?: 'center';
  /** More lines are cut off, with an ellipsis. */
  maxLines: number;
}

const LINE_HEIGHT = 1.3;
const ASCENT = 0.95;
const ELLIPSIS = '…';

/** Writes texts in several fonts, since the library would use one font for a whole text. */
export function createTextWriter(doc: Document, fonts: Fonts) {
  const split = (line: string, direction: Direction, style: TextStyle) =>
    listVisualPieces(line, direction).flatMap((piece) => splitByFont(fonts, piece, style.weight));
  const measureRun = ({ text, font }: TextRun, size: number) =>
    doc.font(font).fontSize(size).widthOfString(text);
  const measureRuns = (runs: TextRun[], { size }: TextStyle) =>
    runs.reduce((width, run) => width + measureRun(run, size), 0);

  function wrap(text: string, width: number, style: TextStyle): string[] {
    const direction = findDirection(text);
    const fits = (line: string) => measureRuns(split(line, direction, style), style) <= width;
    const lines = breakLines(text, fits);
    if (lines.length <= style.maxLines) return lines;
    const last = listGraphemes(lines[style.maxLines - 1] ?? '');
    while (last.length > 0 && !fits(last.join('') + ELLIPSIS)) last.pop();
    return [...lines.slice(0, style.maxLines - 1), last.join('').trimEnd() + ELLIPSIS];
  }

  /** Writes a text below `y` and returns where the next one can begin. */
  return function writeText(
    text: string,
    box: { x: number; y: number; width: number },
    style: TextStyle,
  ): number {
    let { y } = box;
    const direction = findDirection(text);
    for (const line of wrap(text, box.width, style)) {
      const runs = split(line, direction, style);
      let x = style.align ? box.x + (box.width - measureRuns(runs, style)) / 2 : box.x;
      for (const run of runs) {
        doc
          .font(run.font)
          .fontSize(style.size)
          .fillColor(style.color ?? '#000000');
        doc.text(run.text, x, y + style.size * ASCENT, {
          lineBreak: false,
          baseline: 'alphabetic',
        });
        x += measureRun(run, style.size);
      }
      y += style.size * LINE_HEIGHT;
    }
    return y;
  };
}

/** Breaks a text between words, and inside words that do not fit on a line. */
function breakLines(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.trim().split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    for (const grapheme of listGraphemes(word)) {
      if (line !== '' && !fits(line + grapheme)) {
        lines.push(line);
        line = '';
      }
      line += grapheme;
    }
  }
  return line === '' ? lines : [...lines, line];
}
