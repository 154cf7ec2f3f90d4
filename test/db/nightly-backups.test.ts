import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { DAY_MS } from '../../src/core/time/time-zone.ts';
import { openBackup } from '../../src/db/backup/backup-file.ts';
import { verifyExport } from '../../src/db/backup/verify-export.ts';
import { addPrisma, type Database } from '../../src/db/database.ts';
import { openEmbedded } from '../../src/db/embedded/embedded-database.ts';
import { findLastBackup } from '../../src/features/system/service/last-backup.ts';
import { makeNightlyBackup } from '../../src/features/system/service/nightly-backups.ts';
import type { Installation } from '../../src/features/system/types.ts';
import { createSystemContext } from '../support/factories/seed.ts';
import { openTestDatabase, prepareDataDir, serverUrl } from '../support/harness/database.ts';

let folder: string;
let directory: string;
let database: Database;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-nightly-'));
  directory = join(folder, 'backups');
  await mkdir(directory);
  const dataDir = join(folder, 'main');
  await prepareDataDir(dataDir);
  // Files are copied from a directory, and other tests have their database in memory.
  database = serverUrl
    ? (await openTestDatabase()).database
    : addPrisma(await openEmbedded(dataDir, { fsync: false }));
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

const toInstallation = (settings: Record<string, string> = {}): Installation => ({
  config: readConfig({
    DATA_DIR: join(folder, 'main'),
    BACKUP_DIR: directory,
    BACKUP_KEEP: '2',
    ...settings,
  }),
  database,
  jobs: [],
  startedAt: new Date(),
});

const OTHERS = ['foyer-2026-01-01.gz', 'foyer-2026-01-01T024700Z.backup.gz.asc', 'notes.txt'];
const toName = (day: number) => `foyer-2026-11-0${day}T024700Z.backup.gz`;

it('keeps the newest backups, and deletes nothing of others, and nothing if it fails', async () => {
  const now = new Date(Date.UTC(2026, 10, 4, 2, 47));
  const ctx = { ...createSystemContext(database), now: () => now };
  const run = (its: Installation) => makeNightlyBackup(ctx, its, new AbortController().signal);
  const list = () => readdirSync(directory).sort();
  const old = [1, 2, 3].map(toName);
  for (const name of [...OTHERS, ...old]) writeFileSync(join(directory, name), '');
  // A killed process left these. The younger copy can be that of a command that runs now.
  writeFileSync(join(directory, `${toName(1)}.partial`), 'x');
  await mkdir(join(directory, '.foyer-backup-old'));
  await mkdir(join(directory, '.foyer-backup-new'));
  const yesterday = new Date(now.getTime() - DAY_MS);
  utimesSync(join(directory, '.foyer-backup-old'), yesterday, yesterday);
  utimesSync(join(directory, '.foyer-backup-new'), now, now);

  await expect(run({ ...toInstallation(), database: unusable() })).rejects.toThrow();
  await run(toInstallation({ BACKUP_DIR: '' }));
  await expect(
    run(toInstallation({ BACKUP_DIR: join(directory, 'absent') })),
  ).rejects.toMatchObject({ details: { reason: 'FILE_NOT_WRITTEN' } });
  expect(list()).toEqual(['.foyer-backup-new', ...OTHERS, ...old].sort());

  await database.prisma.team.create({ data: { name: 'Sound' } });
  await run(toInstallation());
  expect(list()).toEqual(['.foyer-backup-new', ...OTHERS, toName(3), toName(4)].sort());
  const file = join(directory, toName(4));
  const { pieces } = await openBackup(file);
  expect((await verifyExport(pieces)).rows.teams).toBe(1);
  expect(await findLastBackup(ctx, toInstallation())).toMatchObject({ at: now, file });
});

/** Every use of its pool fails. */
const unusable = () => ({ ...database, pool: {} as Database['pool'] });
