import bidiModule from 'bidi-js';
import { listGraphemes } from './fonts.ts';

/** The direction of a paragraph: that of its first letter with one. */
export type Direction = 'ltr' | 'rtl';

// Node imports what the types call `default`.
const createBidi = bidiModule as unknown as typeof bidiModule.default;
const bidi = createBidi();

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

const hasRightToLeft = (text: string) => RIGHT_TO_LEFT.test(text);

export const findDirection = (text: string): Direction =>
  hasRightToLeft(text) && bidi.getEmbeddingLevels(text).paragraphs[0]?.level === 1 ? 'rtl' : 'ltr';

/** A part of a line with one direction. */
interface Run {
  /** Odd: from right to left. */
  level: number;
  text: string;
}

/**
 * Splits a line into pieces in the order in which they stand from left to right, by the bidirectional algorithm of Unicode (UAX 9).
 * Each piece has one direction, and its characters are in the order of reading.
 */
export function listVisualPieces(line: string, direction: Direction): string[] {
  if (direction === 'ltr' && !hasRightToLeft(line)) return [line];
  const pieces = splitByLevel(line, direction).flatMap(splitRightToLeft);
  // Rule L2: reverse each sequence of this level or a higher one, from the highest down.
  for (let level = Math.max(...pieces.map((piece) => piece.level)); level > 0; level -= 1)
    for (let start = 0; start < pieces.length; start += 1) {
      let end = start;
      while ((pieces[end]?.level ?? 0) >= level) end += 1;
      if (end === start) continue;
      pieces.splice(start, end - start, ...pieces.slice(start, end).reverse());
      start = end;
    }
  return pieces.map(({ text }) => text);
}

/** Brackets from right to left are mirrored. */
function splitByLevel(line: string, direction: Direction): Run[] {
  const embedding = bidi.getEmbeddingLevels(line, direction);
  const mirrored = bidi.getMirroredCharactersMap(line, embedding.levels);
  const runs: Run[] = [];
  let at = 0;
  for (const character of line) {
    const level = embedding.levels[at] ?? 0;
    const text = mirrored.get(at) ?? character;
    at += character.length;
    const last = runs.at(-1);
    if (last !== undefined && last.level === level) last.text += text;
    else runs.push({ level, text });
  }
  return runs;
}

/** The library of fonts reverses letters from right to left itself, since it joins them, but not the characters between them. */
function splitRightToLeft({ level, text }: Run): Run[] {
  if (level % 2 === 0) return [{ level, text }];
  const pieces: Run[] = [];
  for (const grapheme of listGraphemes(text)) {
    const last = pieces.at(-1);
    if (last !== undefined && hasRightToLeft(grapheme) && hasRightToLeft(last.text))
      last.text += grapheme;
    else pieces.push({ level, text: grapheme });
  }
  return pieces;
}
