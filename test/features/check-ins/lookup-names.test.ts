import fc from 'fast-check';
import { findMatchingMembers } from '../../../src/features/check-ins/lookup/service/lookup.ts';
import { openTestDatabase, type TestDatabase } from '../../support/harness/database.ts';
import { checkProperty, propertyRuns } from '../../support/harness/property-runs.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

// The rule of the search: every word of the query is the beginning of a word of the name.
const toWords = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[łøđħŧıςßæœ]/g, (letter) => LOOSE[letter] ?? letter)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
const LOOSE: Record<string, string> = {
  ...{ ł: 'l', ø: 'o', đ: 'd', ħ: 'h', ŧ: 't', ı: 'i', ς: 'σ', ß: 'ss', æ: 'ae', œ: 'oe' },
};
const matches = (name: string, query: string) => {
  const [nameWords, queryWords] = [toWords(name), toWords(query)];
  return (
    queryWords.length > 0 &&
    queryWords.every((one) => nameWords.some((word) => word.startsWith(one)))
  );
};

// Few letters, so that many match by chance; composed and decomposed accents, scripts and signs.
const letter = fc.constantFrom(
  ...[
    'a',
    'b',
    'A',
    'é',
    'É',
    'e',
    'e\u0301',
    'ñ',
    'ł',
    'Ł',
    'ø',
    'ß',
    'æ',
    'İ',
    'ı',
    'i',
    'ễ',
    'Å',
  ],
  ...['д', 'Д', 'й', 'σ', 'ς', 'Σ', 'ΐ', '王', '김', 'ב', 'ع', '7', 'ª'],
);
const sign = fc.constantFrom(
  ...[
    ' ',
    '  ',
    '-',
    '’',
    "'",
    '%',
    '_',
    '\\',
    '.',
    '*',
    '(',
    '[',
    ']',
    '^',
    '$',
    '|',
    '\t',
    '\u00a0',
    '–',
    '+',
    '?',
  ],
);
const word = fc.string({ unit: letter, minLength: 1, maxLength: 4 });
const text = fc
  .array(fc.tuple(word, sign), { minLength: 1, maxLength: 4 })
  .map((pairs) => pairs.map(([one, gap]) => one + gap).join(''));

it('matches exactly the names in which every word of the query begins a word', async () => {
  const { ctx } = database;
  let hits = 0;
  await checkProperty(
    fc.asyncProperty(
      fc.uniqueArray(text, { minLength: 1, maxLength: 12 }),
      fc.array(fc.oneof(text, word), { minLength: 1, maxLength: 6 }),
      fc.nat(),
      async (names, queries, random) => {
        await ctx.db.member.deleteMany();
        await ctx.db.member.createMany({
          data: names.map((name, n) => ({ name, email: `m${n}@example.org`, code: `CODE${n}` })),
        });
        // Pieces of existing names, or hardly any query would match two words.
        const some = toWords(names[random % names.length] ?? '');
        const pieces = some.map((piece) => piece.slice(0, 1 + (random % 3))).reverse();
        for (const query of [...queries, pieces.join(' '), pieces.join('%')]) {
          const found = await findMatchingMembers(ctx, { exact: false, name: query }, 100);
          const expected = names.filter((name) => matches(name, query));
          hits += expected.length;
          expect({ query, names: found.map(({ name }) => name).sort() }).toEqual({
            query,
            names: expected.sort(),
          });
        }
      },
    ),
    { numRuns: propertyRuns(20) },
  );
  expect(hits).toBeGreaterThan(20);
});
