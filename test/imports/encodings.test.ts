import fc from 'fast-check';
import iconv from 'iconv-lite';
import { decodeFile } from '../../src/core/decode-file.ts';
import { guessEncoding } from '../../src/core/guess-encoding.ts';
import { readMembers } from '../../src/imports/read-members.ts';
import { decodeText } from '../../src/imports/source/decode-text.ts';
import type { Encoding } from '../../src/imports/source/encoding.ts';
import { readText } from '../../src/imports/source/read-text.ts';
import { toReadFile } from '../../src/imports/source/source-file.ts';
import { checkProperty } from '../support/harness/property-runs.ts';

const LISTS: Record<string, string[]> = {
  'windows-1252': ['Jürgen Groß', 'Hélène Garçon', 'José Núñez', 'Åsa Öberg', 'Søren “Ærø”'],
  'windows-1250': ['Dušan Žagar', 'Łukasz Wójcik', 'Jiří Dvořák', 'Ana Kovačič'],
  'iso-8859-2': ['Dušan Žagar', 'Łukasz Dąbrowski', 'Kateřina Němcová'],
  'windows-1251': ['Иван Петров', 'Ольга Соколова'],
  macintosh: ['Jürgen Groß', 'Hélène Garçon', 'Zoë Löwe'],
};

const toList = (names: string[]) =>
  `Name,Email\r\n${names.map((name, n) => `${name},m${n}@example.org\r\n`).join('')}`;

test.each(Object.entries(LISTS))(
  'reads a list in %s without being told',
  async (encoding, names) => {
    const bytes = iconv.encode(toList(names), encoding);
    expect(guessEncoding([bytes])).toBe(encoding);
    const { people, notes } = await readMembers(bytes);
    expect(people.map(({ name }) => name)).toEqual(names);
    expect(notes).toEqual([
      {
        line: null,
        text: expect.stringMatching(/^The file was read as .+ choose its encoding\.$/),
      },
    ]);
  },
);

/** In each list, letters of one name point to the other encoding, and fewer than ten do not point to any. */
const NAMES: [encoding: string, names: string[]][] = [
  [
    'windows-1252',
    [
      ...['Hélène Lefèvre', 'Agnès Barrère', 'Thérèse Dubois', 'Solène Trèves', 'Irène Žižek'],
      ...[
        'Søren Kjær',
        'Bjørn Ærø',
        'Børge Sæther',
        'Ærna Rødgaard',
        'Lærke Nørgaard',
        'Øyvind Bøe',
      ],
      ...['Åsa Lindström', 'Pål Håkansson', 'Kåre Bråten', 'Mårten Sjöberg', 'Gösta Åkerblom'],
      ...['José Núñez', 'Íñigo Peñalver', 'Begoña Ibáñez', 'Álvaro Muñoz', 'Niccolò Bertè'],
      ...['Mosè Cantù', 'Anaïs Mercè', 'Renée Šimon', 'Jürgen Groß', 'Jörg Weiß', 'Zoë Löwe'],
      ...['João Conceição', 'François Benoît', 'Noè Bertoli'],
    ],
  ],
  [
    'windows-1250',
    [
      ...['Jiří Dvořák', 'Marek Kučera', 'Eva Králíčková', 'Čeněk Řezáč', 'Tomáš Havlíček'],
      ...['Věra Řeháková', 'Petra Sedláčková', 'Naďa Ďurišová', 'Daňo Šuba', 'Jana Vaňková'],
      ...[
        'Ana Kovačič',
        'Ivo Babić',
        'Marija Jurčić',
        'Luka Horvatić',
        'Goran Đurić',
        'Mila Popović',
      ],
      ...['Jan Kamiński', 'Tomasz Zieliński', 'Ewa Wiśniewska', 'Piotr Maćkowiak', 'Ola Kopeć'],
      ...['Łukasz Żółw', 'Dušan Žagar', 'Ľubomír Šťastný', 'Božena Němcová', 'Šimon Vlček'],
      ...['Ádám Kővári', 'Črt Novotnič', 'Jaroslav Krčmář', 'Krzysztof Ćwik'],
    ],
  ],
];

test.each(NAMES)(
  'reads any ten of these names in %s as they are written',
  async (encoding, names) => {
    await checkProperty(
      fc.asyncProperty(fc.shuffledSubarray(names, { minLength: 10 }), async (sample) => {
        const bytes = iconv.encode(toList(sample), encoding);
        const { people } = await readMembers(bytes);
        expect(people.map(({ name }) => name)).toEqual(sample);
        expect(decodeFile(bytes).text).toBe(toList(sample));
      }),
      { numRuns: 200 },
    );
  },
);

test.each([
  ['windows-1252', ['Jürgen Groß', 'Renée Šimon', 'Søren Ærø']],
  ['windows-1252', ['Hélène Žagar']],
  ['windows-1252', ['Šimon Núñez']],
  ['windows-1250', ['Jürgen Groß', 'Łukasz Żółw', 'Jiří Dvořák']],
  ['windows-1250', ['Jan Kamiński']],
])('reads a short list in %s: %j', async (encoding, names) => {
  const bytes = iconv.encode(toList(names), encoding);
  expect((await readMembers(bytes)).people.map(({ name }) => name)).toEqual(names);
  expect(decodeFile(bytes).text).toBe(toList(names));
});

test('finds the same encoding in the panel as in the service', async () => {
  const names = NAMES.flatMap(([, names]) => names);
  const encodings = ['utf-8', 'windows-1252', 'windows-1250', 'iso-8859-2', 'macintosh'];
  const line = fc
    .record({ name: fc.constantFrom(...names), encoding: fc.constantFrom(...encodings) })
    .map(({ name, encoding }) => iconv.encode(`${name}\r\n`, encoding));
  const piece = fc.oneof(line, line, fc.uint8Array({ maxLength: 8 }));
  const files = fc
    .record({
      pieces: fc.array(piece, { minLength: 1, maxLength: 20 }),
      times: fc.constantFrom(1, 1, 1, 2_000), // more than one piece of a file on a disk
      encoding: fc.constantFrom(undefined, 'utf-16le', 'utf-16be'),
    })
    .map(({ pieces, times, encoding }) => {
      const file = Buffer.concat(Array.from({ length: times }, () => pieces).flat());
      return encoding ? iconv.encode(file.toString(), encoding) : file;
    });
  await checkProperty(
    fc.asyncProperty(files, async (file) => {
      const { encoding } = await readText(toReadFile(file));
      expect(decodeFile(file).encoding).toBe(encoding);
    }),
    { numRuns: 60 },
  );
});

test.each(['utf-8', 'utf-16le', 'utf-16be'])('reads %s without a note', async (encoding) => {
  const names = Object.values(LISTS).flat();
  const bytes = iconv.encode(toList(names), encoding, { addBOM: true });
  expect(await readMembers(bytes)).toMatchObject({
    people: names.map((name) => ({ name })),
    notes: [],
  });
});

test('reads the encoding that was chosen', async () => {
  const bytes = iconv.encode(toList(['Jürgen']), 'macintosh');
  const read = async (encoding?: Encoding) => (await readMembers(bytes, { encoding })).people;
  expect(await read()).toMatchObject([{ name: 'JŸrgen' }]);
  expect(await read('macintosh')).toMatchObject([{ name: 'Jürgen' }]);
});

test('keeps every letter of each encoding, or names the line that lost one', () => {
  const encodings: Encoding[] = ['windows-1252', 'windows-1250', 'iso-8859-2', 'windows-1251'];
  for (const encoding of encodings) {
    for (let byte = 0x80; byte <= 0xff; byte += 1) {
      const { text, notes } = decodeText(Buffer.from([0x61, 0x0a, 0x62, byte, 0x0a]), encoding);
      const isKept = /^b[^\uFFFD]$/u.test(text.split('\n')[1] ?? '');
      const isNamed = notes.some(({ line, text }) => line === 2 && text.startsWith('In this line'));
      expect([encoding, byte, isKept !== isNamed]).toEqual([encoding, byte, true]);
    }
  }
});

test('names the lines with characters that it cannot read or removes', async () => {
  const list = Buffer.from(`Name,Email\nAda\u0007 Byron,a@example.org\nBen\uFFFD,b@example.org\n`);
  const { people, notes } = await readMembers(list);
  expect(people.map(({ name }) => name)).toEqual(['Ada Byron', 'Ben\uFFFD']);
  expect(notes).toEqual([
    {
      line: 3,
      text: 'In this line: a character cannot be read in this encoding. It is shown as \uFFFD.',
    },
    { line: 2, text: 'In this line: a control character was removed.' },
  ]);
});

test('names the line with half of a character of UTF-16', async () => {
  const list = Buffer.from(
    '\uFEFFName,Email\nAda,a@example.org\nBen\uD83D,b@example.org\n',
    'utf16le',
  );
  const { people, notes } = await readMembers(list);
  expect(people.map(({ name }) => name)).toEqual(['Ada', 'Ben\uFFFD']);
  expect(notes).toMatchObject([{ line: 3, text: expect.stringContaining('cannot be read') }]);
});

test('reads one line in another encoding beside lines in UTF-8', async () => {
  const list = Buffer.concat([
    Buffer.from('Name,Email\nJürgen Groß,j@example.org\n'),
    iconv.encode('Käthe Löwe,k@example.org\n', 'windows-1252'),
    Buffer.from('Łukasz Żak,l@example.org\n'),
  ]);
  const { people } = await readMembers(list);
  expect(people.map(({ name }) => name)).toEqual(['Jürgen Groß', 'Käthe Löwe', 'Łukasz Żak']);
  expect(decodeFile(list).text).toContain(
    'Groß,j@example.org\nKäthe Löwe,k@example.org\nŁukasz Żak',
  );
});

test.each([
  [
    'an Excel workbook',
    Buffer.from('PK\u0003\u0004\u0014\u0000'),
    'an Excel workbook or a ZIP archive',
  ],
  ['a web page', Buffer.from('\n<!DOCTYPE html><html>'), 'a web page or XML'],
  ['JSON', Buffer.from('[{"name":"Ada"}]'), 'JSON'],
  ['a line without an end', Buffer.alloc(3_000_000, 'a'), 'more than 1 MB'],
])('says that %s is no list', async (_, file, words) => {
  await expect(readMembers(file)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining(words),
    details: { reason: 'UNREADABLE_FILE', line: 1 },
  });
});
