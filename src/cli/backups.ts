import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Config, readConfig } from '../config.ts';
import { openBackup, writeBackup } from '../db/backup/backup-file.ts';
import { exportDatabase } from '../db/backup/export-database.ts';
import { makeBackup } from '../db/backup/make-backup.ts';
import { type RestorePhase, restoreDatabase } from '../db/backup/restore-database.ts';
import { verifyExport } from '../db/backup/verify-export.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { createByteProgress } from './byte-progress.ts';
import { withDatabaseForBackup } from './open-for-backup.ts';
import { addJsonOption, printResult } from './run-command.ts';

type BackupCommandOptions = { json?: boolean };

const PHASES: Record<RestorePhase, string> = {
  rows: 'Loading rows',
  indexes: 'Creating indexes',
  migrations: 'Applying migrations',
};

export function backupCommands(program: Command): void {
  addJsonOption(program.command('export'))
    .description(
      'Write every row to a new file or to standard output, as a backup or to move to another database',
    )
    .argument('[file]', 'compressed if its name ends with .gz or .zst')
    .action(async (path: string | undefined, options: BackupCommandOptions) => {
      const exported = await withUnmigrated({ mustExist: true }, async (database) => {
        const pieces = exportDatabase(database);
        let rows: Record<string, number> = {};
        await writeBackup(
          path,
          (async function* () {
            rows = yield* pieces;
          })(),
        );
        return rows;
      });
      if (path === undefined) return;
      printResult(options, { exported, file: path }, `Exported ${describe(exported)} to ${path}.`);
    });

  addJsonOption(program.command('restore'))
    .description(
      'Load an export of this or an older version into an empty database, all or nothing',
    )
    .argument('<file>', 'of export, compressed or not; - reads standard input')
    .action(async (path: string, options: BackupCommandOptions) => {
      const { rows, migrated } = await readBackup(path, options, (pieces, showPhase) =>
        withUnmigrated({ mustExist: false }, (database) =>
          restoreDatabase(database, pieces, { onPhase: (phase) => showPhase(PHASES[phase]) }),
        ),
      );
      const upgraded = migrated.length > 0 ? ` Applied: ${migrated.join(', ')}.` : '';
      printResult(
        options,
        { restored: rows, migrated },
        `Restored ${describe(rows)}.${upgraded} You can now start the service.`,
      );
    });

  const group = addJsonOption(program.command('backup'))
    .description('Back up the database into a new file, also while the service runs, and verify it')
    .argument('<file>', 'compressed if its name ends with .gz or .zst')
    .action(async (path: string, options: BackupCommandOptions) => {
      const { rows, bytes, durationMs } = await backUp(readConfig(process.env), path);
      printResult(
        options,
        { backed_up: rows, file: path, bytes, duration_ms: durationMs },
        `Backed up and verified ${describe(rows)} in ${path}.`,
      );
    });
  addJsonOption(group.command('verify'))
    .description(
      'Check, without a database, that a file is complete and that this version can restore it',
    )
    .argument('<file>', 'of export, compressed or not; - reads standard input')
    .action(async (path: string, _: BackupCommandOptions, verify: Command) => {
      const options: BackupCommandOptions = verify.optsWithGlobals(); // `backup` has --json too, and takes it
      const { version, hasChecksum, rows } = await readBackup(path, options, verifyExport);
      const checked = hasChecksum
        ? 'complete and unchanged'
        : 'complete. It has no checksum, since an older version of Foyer wrote it';
      printResult(
        options,
        { version, has_checksum: hasChecksum, rows },
        `The file contains ${describe(rows)}, and is ${checked}.`,
      );
    });
}

async function backUp(config: Config, path: string) {
  const file = resolve(path);
  return makeBackup(file, {
    madeAt: new Date(),
    open: (work) => withDatabaseForBackup(config, file, work),
    dataDir: config.databaseUrl === undefined ? config.dataDir : undefined,
  });
}

/** Opens the configured database as it is: an export must not upgrade it, and a restore creates its own schema. */
async function withUnmigrated<T>(
  { mustExist }: { mustExist: boolean },
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ ...readConfig(process.env), mustExist });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Reads a file with a progress bar. */
async function readBackup<T>(
  path: string,
  options: BackupCommandOptions,
  work: (pieces: AsyncIterable<Buffer>, showPhase: (phase: string) => void) => Promise<T>,
): Promise<T> {
  const progress = createByteProgress(options);
  const { size, pieces } = await openBackup(path, progress.showBytes);
  progress.start(size);
  try {
    return await work(pieces, progress.showPhase);
  } finally {
    progress.stop();
  }
}

const describe = (rows: Record<string, number>) =>
  Object.entries(rows)
    .filter(([, count]) => count > 0)
    .map(([table, count]) => `${count} ${table}`)
    .join(', ') || 'no rows';
