import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';
import type { Font } from 'fontkit';

/** DejaVu Sans has Latin, Greek, Cyrillic, Hebrew, Arabic and more. UnifontEX has the rest of Unicode, as coarse letters. */
const FONT_FILES = {
  regular: '@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff',
  bold: '@fontsource/dejavu-sans/files/dejavu-sans-latin-700-normal.woff',
  fallback: '@fontsource/unifontex/files/unifontex-latin-400-normal.woff',
};

type FontName = keyof typeof FONT_FILES;

/** The fonts that some texts need. `fallback` is present only if one of their characters needs it. */
export type Fonts = Record<'regular' | 'bold', Font> & { fallback: Font | null };

/** Part of a text that one font can show. */
export interface TextRun {
  text: string;
  font: FontName;
}

const REPLACEMENT = '\u25a1'; // a white square, which DejaVu Sans has

/** Loads the fonts that these texts need. */
export async function loadFonts(texts: string[]): Promise<Fonts> {
  const [regular, bold] = await Promise.all([loadFont('regular'), loadFont('bold')]);
  const isComplete = texts.every((text) =>
    listGraphemes(text).every((grapheme) => canShow(regular, grapheme) && canShow(bold, grapheme)),
  );
  return { regular, bold, fallback: isComplete ? null : await loadFont('fallback') };
}

// Files that never change, read by the first ticket. Unpacking the fallback takes 100 ms and 14 MB, so it is rarely loaded.
const loadedFonts = new Map<FontName, Promise<Font>>();

function loadFont(name: FontName): Promise<Font> {
  const loaded = loadedFonts.get(name) ?? readFont(name);
  loadedFonts.set(name, loaded);
  loaded.catch(() => loadedFonts.delete(name));
  return loaded;
}

export async function readFont(name: FontName): Promise<Font> {
  const { create } = await import('fontkit'); // only processes that print tickets need it
  const path = createRequire(import.meta.url).resolve(FONT_FILES[name]);
  const font = create(unpackWoff(await readFile(path))) as Font;
  // The library keeps a glyph without its character if it has read it as a part of another one first, such as the a of á. Later tickets
  // would show it, but lose it when their text is copied or read aloud.
  const getGlyph = font.getGlyph.bind(font);
  font.getGlyph = (id, codePoints = []) => {
    const glyph = getGlyph(id, codePoints);
    if (glyph.codePoints.length === 0) glyph.codePoints = codePoints;
    return glyph;
  };
  return font;
}

/**
 * Unpacks a WOFF file into the font that it contains (https://www.w3.org/TR/WOFF). The library reads WOFF too, but inflates a
 * table again for each glyph, which takes seconds.
 */
function unpackWoff(woff: Buffer) {
  const count = woff.readUInt16BE(12);
  const header = Buffer.alloc(12 + 16 * count);
  woff.copy(header, 0, 4, 8);
  header.writeUInt16BE(count, 4); // the next three fields are for binary search, which the library does not need
  const parts: Buffer[] = [header];
  let offset = header.length;
  for (let index = 0; index < count; index += 1) {
    const source = 44 + 20 * index;
    const target = 12 + 16 * index;
    const [start, packedLength, length] = [4, 8, 12].map((at) => woff.readUInt32BE(source + at));
    if (start === undefined || packedLength === undefined || length === undefined) break;
    const packed = woff.subarray(start, start + packedLength);
    const table = packedLength < length ? inflateSync(packed) : packed;
    const padding = Buffer.alloc((4 - (length % 4)) % 4);
    woff.copy(header, target, source, source + 4);
    woff.copy(header, target + 4, source + 16, source + 20);
    header.writeUInt32BE(offset, target + 8);
    header.writeUInt32BE(length, target + 12);
    parts.push(table, padding);
    offset += length + padding.length;
  }
  return Buffer.concat(parts);
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Splits a text into what readers see as characters, such as a letter with its accents. */
export const listGraphemes = (text: string) =>
  [...graphemes.segment(text)].map(({ segment }) => segment);

/** Whether a font has glyphs for a character. Joiners and variation selectors need none. */
const canShow = (font: Font, grapheme: string) =>
  [...grapheme].every(
    (character) =>
      /^[\u200d\ufe00-\ufe0f]$/u.test(character) ||
      font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0),
  );

/** Splits a text into parts by the font that shows them. A character without any font becomes a square. */
export function splitByFont(fonts: Fonts, text: string, preferred: 'regular' | 'bold'): TextRun[] {
  const runs: TextRun[] = [];
  for (const grapheme of listGraphemes(text)) {
    const run = chooseFont(fonts, grapheme, preferred);
    const last = runs.at(-1);
    if (last?.font === run.font) last.text += run.text;
    else runs.push(run);
  }
  return runs;
}

function chooseFont(fonts: Fonts, grapheme: string, preferred: 'regular' | 'bold'): TextRun {
  const names = [preferred, 'regular', 'fallback'] as const;
  for (const font of names) {
    const loaded = fonts[font];
    if (loaded && canShow(loaded, grapheme)) return { text: grapheme, font };
  }
  return { text: REPLACEMENT, font: preferred };
}
