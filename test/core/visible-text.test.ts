import { isInputObjectType } from 'graphql';
import { z } from 'zod';
import { toPrintableLine } from '../../src/core/text-rules.ts';
import { textKinds } from '../../src/core/validation.ts';
import { schema } from '../../src/graphql/schema.ts';
import { unwrapSchema } from '../../src/graphql/zod-input.ts';

/** Of Scotland. */
const FLAG = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}';

/** Texts that are shown in paragraphs. All others are shown on one line. */
const SEVERAL_LINES = ['address', 'body', 'description', 'note', 'notes', 'reason', 'summary'];

/** Texts that are compared or parsed, and not shown to others. */
const NOT_SHOWN =
  /^(\w*Code|\w*Id|code|content|current|email|events|file|handle|key|next|password|query|rule|scanId|scopes|secret|timeZone|token)$/;

type Field = [name: string, schema: z.ZodType];

/** The texts of an input that anyone can write: no ids, dates, addresses or enums. */
function findTexts(path: string, schema: z.core.$ZodType): Field[] {
  const value = unwrapSchema(schema) as unknown as z.ZodType;
  if (value instanceof z.ZodArray) return findTexts(path, value.element as z.ZodType);
  if (value instanceof z.ZodObject)
    return Object.entries<z.ZodType>(value.shape).flatMap(([key, field]) =>
      findTexts(`${path}.${key}`, field),
    );
  const isText =
    value instanceof z.ZodString && !textKinds.get(value) && value.safeParse('Some text').success;
  return isText && !NOT_SHOWN.test(toKey(path)) ? [[path, value]] : [];
}

const toKey = (path: string) => path.split('.').at(-1) ?? '';

const TEXTS = Object.values(schema.getTypeMap()).flatMap((type) => {
  const { inputSchema } = type.extensions as { inputSchema?: z.ZodType };
  const isRead = /Filter$|^Preview|PersonalData|^DataSubject|^BookAny/.test(type.name);
  return inputSchema && isInputObjectType(type) && !isRead ? findTexts(type.name, inputSchema) : [];
});

/** Names the texts that keep one of these characters. */
const findKeeping = (texts: Field[], characters: string) =>
  texts
    .filter(([, field]) =>
      [...characters].some((one) => String(field.safeParse(`A${one}talk`).data).includes(one)),
    )
    .map(([path]) => path);

describe('texts that others see', () => {
  const oneLine = TEXTS.filter(([path]) => !SEVERAL_LINES.includes(toKey(path)));

  it('cannot change the direction of the text around them', () => {
    expect(findKeeping(TEXTS, '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069')).toEqual(
      [],
    );
  });

  it('have no invisible characters if they are one line', () => {
    expect(oneLine.length).toBeGreaterThan(50);
    expect(findKeeping(oneLine, '\u200b\u00ad\u200e\u200f\u2060\ufeff\u{e0041}')).toEqual([]);
  });

  it('have no line breaks if they are one line', () => {
    const broken = oneLine.filter(([, field]) =>
      /[\r\n]/.test(String(field.safeParse('A\r\ntalk').data)),
    );
    expect(broken.map(([path]) => path)).toEqual([]);
  });

  it('lose soft hyphens and marks of direction if they are one line', () => {
    const others = oneLine.filter(
      ([, field]) => field.safeParse('A\u00ad talk\u200f').data !== 'A talk',
    );
    expect(others.map(([path]) => path)).toEqual([]);
  });

  it('can have emoji, flags and letters that are joined', () => {
    const rejecting = TEXTS.filter(([, field]) =>
      ['👩‍👩‍👧', FLAG, 'نامه‌ای'].some((text) => field.safeParse(text).data !== text),
    );
    expect(rejecting.map(([path]) => path)).toEqual([]);
  });
});

it('titles of other programs lose what is rejected elsewhere', () => {
  expect(toPrintableLine(` A\u202e\ttalk\r\n👩‍👩‍👧\u200b ${FLAG}\u{e0041} `)).toBe(
    `A talk 👩‍👩‍👧 ${FLAG}`,
  );
});
