import fc from 'fast-check';
import { maskEmail, maskName, toInitialsSql, toMaskedNameSql } from '../../src/core/names.ts';
import { prepareStatement } from '../../src/db/prepared-statement.ts';
import { toSearchableText } from '../../src/db/text-search.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const MASK_NAMES = prepareStatement(`
  SELECT ${toMaskedNameSql('name')} AS masked FROM unnest($1::text[]) WITH ORDINALITY AS names (name, n) ORDER BY n`);

async function maskNamesInSql(names: string[]): Promise<string[]> {
  const rows = await database.ctx.lockingSql<{ masked: string }>(MASK_NAMES, [names]);
  return rows.map(({ masked }) => masked);
}

const SHORTEN_NAME = prepareStatement(
  `SELECT ${toInitialsSql('name')} AS initials FROM (SELECT $1::text AS name) AS person`,
);

describe('the initials of a name', () => {
  it.each([
    ['Ada Lovelace', 'A. L.'],
    ['Lovelace, Ada', 'A. L.'],
    ['Ada King Lovelace', 'A. L.'],
    ['Ada', 'A.'],
    ['ada@example.org', 'a.'],
    ['Zoë 🧑‍🚀naut', 'Z. 🧑‍🚀.'],
    ['山田太郎', '山.'],
    ['山田 太郎', '山. 太.'],
  ])('of %s are %s', async (name, initials) => {
    expect(await database.ctx.lockingSql(SHORTEN_NAME, [name])).toEqual([{ initials }]);
  });
});

describe('masking a name', () => {
  it.each([
    ['Ada Lovelace', 'Ada L.'],
    ['  Juan  de la Cruz ', 'Juan C.'],
    ['Ben', 'Ben'],
    ['Zoë 🧑‍🚀naut', 'Zoë n.'],
    ['Ana Silva 🎉', 'Ana S.'],
    ['🌻 Ana Silva ❤️', 'Ana S.'],
    ['Ana 👍🏽', 'Ana'],
    ['Ana🎉Silva', 'Ana S.'],
    ['🎉 🎈', '🎉 🎈.'],
    ['ada@example.org', 'a•••@e•••.org'],
    ['ada@example.org Lovelace', 'a•••@e•••.org L.'],
    ['Lovelace, Ada', 'Ada L.'],
    ['Lovelace,Ada', 'Ada L.'],
    ['de la Cruz, Juan', 'Juan C.'],
    ['Lovelace,', 'Lovelace'],
    ['Ada\u00a0Lovelace', 'Ada L.'],
    ['Ada\u3000Lovelace', 'Ada L.'],
    ['Ada\u0085Lovelace', 'Ada L.'],
    ['Ada Lovelace\u00a0', 'Ada L.'],
    ['山田太郎', '山.'],
    ['김철수', '김.'],
    ['やまだたろう', 'や.'],
    ['ガブリエラ', 'カ\u3099.'.normalize('NFC')],
    ['山田 太郎', '山田 太.'],
    ['김 철수', '김 철.'],
    ['Иван', 'Иван'],
    ['', ''],
  ])('turns %s into %s, in TypeScript and in SQL', async (name, masked) => {
    expect(maskName(name)).toBe(masked);
    expect(await maskNamesInSql([name])).toEqual([masked]);
  });

  it('is equal in TypeScript and SQL for generated names', async () => {
    const letter = fc.constantFrom(
      ...[
        'a',
        'B',
        'é',
        'e\u0301',
        'o\u0302\u0323',
        'ß',
        'д',
        'Й',
        'σ',
        'ש\u05c1',
        'م\u064e',
        'กำ',
      ],
      ...[
        'हि',
        'नी',
        '山',
        '𠮷',
        '김',
        'や',
        'か\u3099',
        'ガ',
        'ー',
        '🧑‍🚀',
        '👍🏽',
        '7',
        "'",
        '.',
        '-',
        '@',
      ],
    );
    const separator = fc.constantFrom(
      ...[' ', ' ', ' ', '  ', '\t', '\u0085', '\u00a0', '\u2003', '\u3000', ',', ', ', ' ,', '，'],
    );
    const word = fc.string({ unit: letter, maxLength: 4 });
    const name = fc
      .array(fc.tuple(word, separator), { maxLength: 4 })
      .chain((pairs) => word.map((end) => pairs.map((pair) => pair.join('')).join('') + end));
    await checkProperty(
      fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 50 }), async (names) => {
        expect(await maskNamesInSql(names)).toEqual(names.map(maskName));
      }),
      { numRuns: propertyRuns(60) },
    );
  });
});

it.each([
  ['ada.lovelace@example.org', 'a•••@e•••.org'],
  ['a@b.co.uk', 'a•••@b•••.uk'],
  ['root@localhost', 'r•••@l•••'],
])('masks the email address %s as %s', (email, masked) => {
  expect(maskEmail(email)).toBe(masked);
});

describe('a searchable text', () => {
  const TO_SEARCHABLE = prepareStatement('SELECT searchable_text($1::text COLLATE names) AS text');

  it('is the same in the database and in the service', async () => {
    const letters = fc.constantFrom(...'aZéÉłŁøØđĦŧıİſẞßæÆœŒΣςσЖй-@%_\\ .ńŻ́e̊中ﬁ한');
    await checkProperty(
      fc.asyncProperty(fc.array(letters, { minLength: 1, maxLength: 12 }), async (parts) => {
        const text = parts.join('');
        const [row] = await database.ctx.lockingSql<{ text: string }>(TO_SEARCHABLE, [text]);
        expect(row?.text).toBe(toSearchableText(text));
      }),
      { numRuns: propertyRuns(50) },
    );
  });
});
