import { createHash } from 'node:crypto';
import { verifyExport } from '../../src/db/backup/verify-export.ts';
import { readMigrations } from '../../src/db/migrations.ts';
import { cut } from '../support/backups.ts';

const migrations = readMigrations().map(({ name }) => name);

const body = [
  JSON.stringify({
    format: 'foyer-export-2',
    version: '0.1.0',
    migrations: migrations.slice(0, 1),
  }),
  '{"table":"teams","columns":["id","name"]}',
  '7\tOne\\n\\\\.',
  '8\t\\N',
  '\\N\t',
  '\\.',
  '{"table":"users","columns":["id"]}',
  '\\.',
  '',
].join('\n');
const toFile = (text: string, rows: Record<string, number>) => {
  const sha256 = createHash('sha256').update(text).digest('hex');
  return Buffer.from(`${text}${JSON.stringify({ end: true, rows, sha256 })}\n`);
};
const file = toFile(body, { teams: 3, users: 0 });

const first = Buffer.from(
  [
    JSON.stringify({ format: 'foyer-export-1', migrations: migrations.slice(0, 1) }),
    '{"table":"teams","row":{"id":7}}',
    '{"table":"users","row":{"id":8}}',
    '{"table":"users","row":{"id":9}}',
    '{"end":true,"rows":3}',
    '',
  ].join('\n'),
);

const verify = (bytes: Buffer, pieceBytes?: number) => verifyExport(cut(bytes, pieceBytes));
const readError = (bytes: Buffer) =>
  verify(bytes).then(
    () => 'accepted',
    ({ message, details }) => `${details.reason}: ${message}`,
  );

describe('verifying an export', () => {
  it('counts the rows, however the file arrives', async () => {
    for (let pieceBytes = 1; pieceBytes <= file.length; pieceBytes += 1)
      expect(await verify(file, pieceBytes)).toEqual({
        version: '0.1.0',
        hasChecksum: true,
        rows: { teams: 3, users: 0 },
      });
  });

  it('accepts a file of the first format, which has no checksum', async () => {
    for (let pieceBytes = 1; pieceBytes <= first.length; pieceBytes += 1)
      expect(await verify(first, pieceBytes)).toEqual({
        version: null,
        hasChecksum: false,
        rows: { teams: 1, users: 2 },
      });
  });

  it('rejects a file that was cut, wherever it was cut', async () => {
    for (let length = 0; length < file.length; length += 1)
      expect(await readError(file.subarray(0, length))).toMatch(/^EXPORT_UNREADABLE: /);
    for (let length = 0; length < first.length; length += 1)
      expect(await readError(first.subarray(0, length))).toMatch(/^EXPORT_UNREADABLE: /);
  });

  it('rejects a file of which any byte was changed, removed or added', async () => {
    const accepted: string[] = [];
    const expectRejected = async (bytes: Buffer) => {
      if ((await readError(bytes)) === 'accepted') accepted.push(bytes.toString('latin1'));
    };
    for (let at = 0; at <= file.length; at += 1) {
      const [before, after] = [file.subarray(0, at), file.subarray(at + 1)];
      await expectRejected(Buffer.concat([before, file.subarray(at), Buffer.from('x')]));
      if (at === file.length) continue;
      await expectRejected(Buffer.concat([before, after]));
      for (const bit of [0, 5, 7])
        await expectRejected(
          Buffer.concat([before, Buffer.from([(file[at] ?? 0) ^ (1 << bit)]), after]),
        );
    }
    expect(accepted).toEqual([]);
  });

  it.each<[string, Buffer, RegExp]>([
    ['nothing', Buffer.alloc(0), /^EXPORT_UNREADABLE: The file is empty\.$/],
    ['a PDF', Buffer.from('%PDF-1.7\n%\xe2\n'), /^EXPORT_UNREADABLE: .* in PDF format\./],
    [
      'a file of pg_dump -Fc',
      Buffer.from('PGDMP\x01\x0e\0'),
      /pg_dump\. Restore it with pg_restore/,
    ],
    ['a script of pg_dump', Buffer.from('--\n-- PostgreSQL database dump\n--\n'), /with psql/],
    ['a ZIP file', Buffer.from('PK\x03\x04\n'), /Unpack it first/],
    ['an xz file', Buffer.from('fd377a585a0000', 'hex'), /xz -dc/],
    ['another JSON file', Buffer.from('{"name":"foyer"}\n'), /is not a Foyer export/],
    ['a JSON text without objects', Buffer.from('null\n'), /is not a Foyer export/],
    ['a file without line breaks', Buffer.alloc(3 * 1024 ** 2, '{'), /is not a Foyer export/],
    ['two files in one', Buffer.concat([file, file]), /goes on after its end/],
    [
      'a cut file',
      file.subarray(0, body.indexOf('8\t')),
      /incomplete: it ends in table teams\. Use/,
    ],
    [
      'a table twice',
      toFile(`${body}{"table":"users","columns":["id"]}\n\\.\n`, { teams: 3, users: 0 }),
      /Line 9 of/,
    ],
    ['wrong numbers of rows', toFile(body, { teams: 4, users: 0 }), /its checksum does not match/],
    ['a missing row of the first format', removeLine(first, 2), /has 2 rows instead of 3/],
    [
      'invalid JSON in the first format',
      Buffer.from(first.toString().replace(':8', ':x')),
      /Line 3 of/,
    ],
    [
      'a newer format',
      Buffer.from('{"format":"foyer-export-3","version":"2.0.0"}\n'),
      /^EXPORT_VERSION: A newer .*: 2\.0\.0\. Restore it/,
    ],
    [
      'a newer schema',
      withMigrations('29990101000000_later'),
      /^EXPORT_VERSION: A newer .* 29990101000000_later\)\. Restore it with version 0\.1\.0 or later\.$/,
    ],
    [
      'a schema before the baseline',
      withMigrations('20200101000000_house'),
      /^EXPORT_VERSION: An earlier 0\.x version/,
    ],
  ])('rejects %s with a reason', async (_, bytes, why) => {
    expect(await readError(bytes)).toMatch(why);
  });
});

function removeLine(bytes: Buffer, line: number): Buffer {
  return Buffer.from(bytes.toString().split('\n').toSpliced(line, 1).join('\n'));
}

function withMigrations(...more: string[]): Buffer {
  const head = { format: 'foyer-export-2', version: '0.1.0', migrations: [...migrations, ...more] };
  return Buffer.from(`${JSON.stringify(head)}\n`);
}
