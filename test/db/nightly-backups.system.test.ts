import { lutimesSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { readConfig } from '../../src/config.ts';
import { DAY_MS } from '../../src/core/time/time-zone.ts';
import { MAX_BACKUP_HOURS } from '../../src/db/backup/abandoned-files.ts';
import { openBackup, toPartialPath } from '../../src/db/backup/backup-file.ts';
import { verifyExport } from '../../src/db/backup/verify-export.ts';
import { addPrisma, type Database } from '../../src/db/database.ts';
import { openEmbedded } from '../../src/db/embedded/embedded-database.ts';
import { findProblems } from '../../src/features/system/service/find-problems.ts';
import { findLastBackup } from '../../src/features/system/service/last-backup.ts';
import {
  makeNightlyBackup,
  NIGHTLY_BACKUP_JOB,
} from '../../src/features/system/service/nightly-backups.ts';
import { readSystemStatus } from '../../src/features/system/service/read-status.ts';
import type { Installation } from '../../src/features/system/types.ts';
import { jobs } from '../../src/jobs/job-definitions.ts';
import { runJob } from '../../src/jobs/job-queue.ts';
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

const OTHERS = [
  '.foyer-backup-script',
  'foyer-2026-01-01.gz',
  'foyer-2026-01-01T024700Z.backup.gz.asc',
  'notes.txt',
  `notes.txt.${'0'.repeat(12)}.partial`,
];
const OTHER_FOLDERS = ['.foyer-backup-scripts', '.foyer-backup-keep'];
const toName = (day: number) => `foyer-2026-11-0${day}T024700Z.backup.gz`;

it('keeps the newest backups, and deletes nothing of others, and nothing if it fails', async () => {
  const now = new Date(Date.UTC(2026, 10, 4, 2, 47));
  const ctx = { ...createSystemContext(database), now: () => now };
  const run = (its: Installation) => makeNightlyBackup(ctx, its, new AbortController().signal);
  const list = () => readdirSync(directory).sort();
  const old = [1, 2, 3].map(toName);
  for (const name of [...OTHERS, ...old]) writeFileSync(join(directory, name), '');
  for (const name of OTHER_FOLDERS) await mkdir(join(directory, name));
  symlinkSync('absent', join(directory, '.foyer-backup-linked'));
  // A killed process left these. The younger ones can be those of a backup that runs now.
  const abandoned = ['.foyer-backup-oldOLD', `${toName(1)}.partial`, toPartialPath(toName(1))];
  const running = ['.foyer-backup-newNEW', `${toName(2)}.partial`, toPartialPath(toName(2))];
  for (const [copy = '', ...partials] of [abandoned, running]) {
    await mkdir(join(directory, copy));
    for (const partial of partials) writeFileSync(join(directory, partial), 'x');
  }
  const kept = [...OTHERS, ...OTHER_FOLDERS, '.foyer-backup-linked', ...running];
  const yesterday = new Date(now.getTime() - DAY_MS);
  for (const name of list()) lutimesSync(join(directory, name), yesterday, yesterday);
  for (const name of running) lutimesSync(join(directory, name), now, now);

  await expect(run({ ...toInstallation(), database: unusable() })).rejects.toThrow();
  await run(toInstallation({ BACKUP_DIR: '' }));
  await expect(
    run(toInstallation({ BACKUP_DIR: join(directory, 'absent') })),
  ).rejects.toMatchObject({ details: { reason: 'FILE_NOT_WRITTEN' } });
  expect(list()).toEqual([...kept, ...old].sort());

  await database.prisma.team.create({ data: { name: 'Sound' } });
  await run(toInstallation());
  expect(list()).toEqual([...kept, toName(3), toName(4)].sort());
  const file = join(directory, toName(4));
  const { pieces } = await openBackup(file);
  expect((await verifyExport(pieces)).rows.teams).toBe(1);
  expect(await findLastBackup(ctx, toInstallation())).toMatchObject({ at: now, file });
});

it('leaves no file and counts as no run if the process stops', async () => {
  const stopping = new AbortController();
  const before = readdirSync(directory);
  const job = jobs.find(({ name }) => name === NIGHTLY_BACKUP_JOB);
  const count = jest.fn();
  const now = () => {
    stopping.abort();
    return new Date(Date.UTC(2026, 10, 4, 8));
  };
  const metrics = { countJobRun: count, countAttempt: () => {} };
  const ctx = { ...createSystemContext(database), now, metrics };
  const services = { mail: undefined, webhooks: undefined, installation: toInstallation() };
  if (job) await runJob(job, ctx, { ...services, signal: stopping.signal });
  expect(stopping.signal.aborted).toBe(true);
  expect(readdirSync(directory)).toEqual(before);
  expect(count).not.toHaveBeenCalled();
});

it('does not ask for a directory that is set, nor report the job as late while it works', async () => {
  const startedAt = new Date();
  const ctx = {
    ...createSystemContext(database),
    now: () => new Date(startedAt.getTime() + 3_660 * DAY_MS),
  };
  const status = await readSystemStatus(ctx, {
    ...toInstallation(),
    jobs: jobs.filter(({ name }) => name === NIGHTLY_BACKUP_JOB),
    startedAt,
  });
  expect(status.jobs).toMatchObject([{ isLate: true }]);
  const problems = findProblems(status, { diskWarningBytes: 0, isDemo: false });
  expect(problems.map(({ code }) => code)).not.toContain('JOBS_LATE');
  const missing = problems.find(({ code }) => code === 'BACKUP_MISSING');
  expect(missing?.remedy).toMatch(/^Let Foyer run at 02:47 UTC/);
});

it('is not written into the directory of the database, also not over a link', () => {
  const inData = ['main', 'absent'].flatMap((name) => {
    const dataDir = join(folder, name);
    const link = join(folder, `to-${name}`);
    symlinkSync(dataDir, link);
    return [dataDir, link, join(link, 'new/backups')].flatMap((backups) => [
      [backups, dataDir],
      [backups, link],
    ]);
  });
  const outside = join(folder, 'outside');
  symlinkSync(directory, outside);
  const circle = join(folder, 'circle');
  symlinkSync(circle, circle);
  const read = (BACKUP_DIR = '', DATA_DIR = '') => readConfig({ BACKUP_DIR, DATA_DIR }).backupDir;
  for (const [backups, dataDir] of inData)
    expect(() => read(backups, dataDir)).toThrow('BACKUP_DIR is in DATA_DIR');
  for (const backups of [outside, circle, join(folder, 'new/backups')])
    for (const dataDir of [join(folder, 'main'), join(folder, 'new/main')])
      expect(read(backups, dataDir)).toBe(backups);
});

it('can run for hours: the queue does not count it as failed before', () => {
  const job = jobs.find(({ name }) => name === NIGHTLY_BACKUP_JOB);
  expect(job?.maxRunSeconds).toBe(MAX_BACKUP_HOURS * 3_600);
});

/** Every use of its pool fails. */
const unusable = () => ({ ...database, pool: {} as Database['pool'] });
