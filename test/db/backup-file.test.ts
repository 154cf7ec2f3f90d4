import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import zlib, { gzipSync } from 'node:zlib';
import { HOUR_MS } from '../../src/core/time/time-zone.ts';
import { MAX_BACKUP_HOURS } from '../../src/db/backup/abandoned-files.ts';
import { openBackup, toPartialPath, writeBackup } from '../../src/db/backup/backup-file.ts';
import { cut } from '../support/backups.ts';

const directory = mkdtempSync(join(tmpdir(), 'foyer-backup-file-'));
const at = (name: string) => join(directory, name);
afterAll(() => rmSync(directory, { recursive: true }));

const content = Buffer.from('{"format":"foyer-export-2"}\nLäng€\n'.repeat(10));

async function read(path: string): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of (await openBackup(path)).pieces) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

function writeFile(bytes: Buffer): string {
  writeFileSync(at('file'), bytes);
  return at('file');
}

describe('reading a backup file', () => {
  it('decompresses gzip by its content, in several parts too', async () => {
    const parts = Buffer.concat([
      gzipSync(content.subarray(0, 50)),
      gzipSync(content.subarray(50)),
    ]);
    for (const bytes of [content, gzipSync(content), parts])
      expect(await read(writeFile(bytes))).toBe(content.toString());
  });

  it('reads a changed or cut gzip file unchanged or not at all', async () => {
    const zipped = gzipSync(content);
    const outcomes = new Set<string>();
    const damaged = [...zipped].flatMap((byte, index) => [
      zipped.subarray(0, index),
      Buffer.concat([
        zipped.subarray(0, index),
        Buffer.from([byte ^ 0xff]),
        zipped.subarray(index + 1),
      ]),
    ]);
    for (const bytes of damaged) {
      const outcome = await read(writeFile(bytes)).catch(({ details }) => details.reason);
      // Without its first bytes it is not a gzip file, which readers of the format reject.
      if (outcome !== bytes.toString()) outcomes.add(outcome);
    }
    expect([...outcomes].sort()).toEqual(['EXPORT_UNREADABLE', content.toString()].sort());
  });

  it('decompresses zstd where Node.js can, and otherwise says what to do', async () => {
    if ('zstdCompressSync' in zlib) {
      const zipped = (zlib.zstdCompressSync as (bytes: Buffer) => Buffer)(content);
      expect(await read(writeFile(zipped))).toBe(content.toString());
      await expect(read(writeFile(zipped.subarray(0, -5)))).rejects.toThrow(/zstd compression/);
    } else {
      const file = writeFile(Buffer.from('28b52ffd0000', 'hex'));
      await expect(read(file)).rejects.toThrow(/Use Node\.js 22\.15 or later, or decompress/);
      await expect(writeBackup(at('new.zst'), cut(content))).rejects.toThrow(/ends with \.gz/);
    }
  });

  it('reports progress in bytes of the file, not of its content', async () => {
    const zipped = gzipSync(content);
    const seen: number[] = [];
    const { size, pieces } = await openBackup(writeFile(zipped), (bytes) => seen.push(bytes));
    for await (const _ of pieces);
    expect([size, seen.at(-1)]).toEqual([zipped.length, zipped.length]);
  });

  it('names a path that it cannot read', async () => {
    await expect(read(at('absent'))).rejects.toThrow(/^Cannot read .*absent \(ENOENT\)/);
    await expect(read(directory)).rejects.toThrow(/^Cannot read .* \(EISDIR\)/);
  });
});

describe('writing a backup file', () => {
  it('creates a file that only its owner can read, compressed by its name', async () => {
    writeFileSync(at('other'), 'other');
    symlinkSync(at('other'), at('new.backup.partial'));
    await writeBackup(at('new.backup'), cut(content, 7));
    expect(readFileSync(at('other'), 'utf8')).toBe('other');
    await writeBackup(at('new.gz'), cut(content, 7));
    expect(readFileSync(at('new.backup'))).toEqual(content);
    expect(statSync(at('new.backup')).mode & 0o777).toBe(0o600);
    expect(readFileSync(at('new.gz')).subarray(0, 2).toString('hex')).toBe('1f8b');
    expect(await read(at('new.gz'))).toBe(content.toString());
  });

  it('never replaces a file', async () => {
    writeFileSync(at('old.backup'), 'old');
    await expect(writeBackup(at('old.backup'), cut(content))).rejects.toThrow(/already exists/);
    expect(readFileSync(at('old.backup'), 'utf8')).toBe('old');
  });

  it('writes to a file of its own, so that of two runs for the same file one succeeds', async () => {
    const partials: string[] = [];
    let finishFirst: () => void = () => {};
    const bothWritten = new Promise<void>((resolve) => {
      finishFirst = resolve;
    });
    const verify = async (partial: string) => {
      partials.push(partial);
      if (partials.length === 2) finishFirst();
      await bothWritten;
      expect(readFileSync(partial)).toEqual(content);
    };
    const before = readdirSync(directory);
    const run = () => writeBackup(at('same.backup'), cut(content), { verify });
    const outcomes = await Promise.allSettled([run(), run()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { details: { reason: 'FILE_NOT_WRITTEN' } },
    });
    expect(readdirSync(directory)).toEqual([...before, 'same.backup'].sort());
    expect(readFileSync(at('same.backup'))).toEqual(content);
  });

  it('deletes what killed runs for the same file left, and nothing else', async () => {
    const old = new Date(Date.now() - (MAX_BACKUP_HOURS + 1) * HOUR_MS);
    const running = toPartialPath(at('left.backup'));
    const others = ['other.backup.partial', 'left.backup.txt'].map(at);
    for (const path of [running, ...others]) writeFileSync(path, 'x');
    for (const path of others) utimesSync(path, old, old);
    const before = readdirSync(directory);
    for (const left of [toPartialPath(at('left.backup')), at('left.backup.partial')]) {
      writeFileSync(left, 'x');
      utimesSync(left, old, old);
    }
    await writeBackup(at('left.backup'), cut(content));
    expect(readdirSync(directory)).toEqual([...before, 'left.backup'].sort());
  });

  it('leaves no file if it fails', async () => {
    const before = readdirSync(directory);
    const failing = async function* () {
      yield content;
      throw new Error('the database stopped');
    };
    await expect(writeBackup(at('failed.gz'), failing())).rejects.toThrow('the database stopped');
    await expect(writeBackup(at('absent/x'), cut(content))).rejects.toThrow(
      /^The directory of .*absent\/x does not exist\. Create it first\.$/,
    );
    const stopping = new AbortController();
    const verify = async (partial: string) => {
      expect([existsSync(partial), existsSync(at('stopped'))]).toEqual([true, false]);
      stopping.abort();
    };
    const stopped = writeBackup(at('stopped'), cut(content), { signal: stopping.signal, verify });
    await expect(stopped).rejects.toThrow('This operation was aborted');
    expect(readdirSync(directory)).toEqual(before);
  });
});
