import type { Command } from 'commander';
import { importList } from '../features/imports/service/imports.ts';
import { undoImport } from '../features/imports/service/undo-import.ts';
import type { Import, UndoReport } from '../features/imports/types.ts';
import { listAllRows } from '../lists/read-list.ts';
import { addJsonOption, printResult, withDatabase } from './run-command.ts';

/** Adds `import list` and `import undo`. */
export function importHistoryCommands(command: Command): void {
  addJsonOption(command.command('list'))
    .description('List the imports, newest first')
    .action(async (options: { json?: boolean }) => {
      const imports = await withDatabase(({ ctx }) => listAllRows(ctx, importList, {}));
      const text = imports.map(formatImport).join('\n') || 'Nothing was imported yet.';
      printResult(options, { imports }, text);
    });

  addJsonOption(command.command('undo'))
    .description('Remove what an import added, unless something depends on it')
    .argument('<id>', 'id of the import, as import list shows it')
    .option('--dry-run', 'report what would happen, without changing anything')
    .action(async (id: string, options: { json?: boolean; dryRun?: boolean }) => {
      const { dryRun } = options;
      const { report } = await withDatabase(({ ctx }) => undoImport(ctx, { id, dryRun }));
      printResult(options, { dryRun: dryRun ?? false, ...report }, formatUndo(report, dryRun));
    });
}

const formatImport = (row: Import) =>
  [
    `${row.id}  ${row.createdAt}  ${row.kind}  ${row.state}  ${row.fileName ?? ''}`,
    `    imported ${row.importedCount}, updated ${row.updatedCount}, unchanged ${row.unchangedCount}, skipped ${row.skippedCount}`,
  ].join('\n');

function formatUndo({ removed, restored, notes, problems }: UndoReport, dryRun = false): string {
  const lines = [...problems, ...notes].map(({ line, reason }) => `line ${line}: ${reason}`);
  if (problems.length > 0) return [...lines, 'The import cannot be undone.'].join('\n');
  const summary = dryRun
    ? `Dry run: would remove ${removed} and restore ${restored}. Nothing was changed.`
    : `Removed ${removed} and restored ${restored}.`;
  return [...lines, summary].join('\n');
}
