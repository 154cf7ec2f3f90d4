import { Presets, SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { getLocationBySlug, type Location } from '../features/spaces/service.ts';
import { importBookings } from '../imports/import-bookings.ts';
import { importEvents } from '../imports/import-events.ts';
import { importMembers } from '../imports/import-members.ts';
import type { ImportOptions, ImportReport } from '../imports/report.ts';
import { addJsonOption, printResult, readInputFile, withDatabase } from './run-command.ts';

interface ImportCommandOptions {
  dryRun?: boolean;
  json?: boolean;
}

const MIN_ROWS_FOR_PROGRESS = 200;

export function importCommands(program: Command): void {
  const command = program
    .command('import')
    .description('Bring in what other programs have exported');
  const importing = (name: string, description: string) =>
    addJsonOption(command.command(name))
      .description(description)
      .argument('<file>')
      .option('--dry-run', 'say what would happen and change nothing');

  importing('members', 'Members from a CSV file: name, e-mail, phone, company, status').action(
    (path: string, options: ImportCommandOptions) =>
      runImportCommand(path, options, (ctx, file, how) => importMembers(ctx, { file, ...how })),
  );

  importing('events', 'Events from an iCalendar file, a year back and ahead')
    .option(
      '--location <slug>',
      'where events take place whose location is not one of ours; else our first',
    )
    .action((path: string, options: ImportCommandOptions & { location?: string }) =>
      runImportCommand(path, options, async (ctx, file, how) => {
        if (options.location) {
          const { id } = await getLocationBySlug(ctx, options.location);
          return importEvents(ctx, { file, locationId: id, ...how });
        }
        const { id, name } = await getFirstLocation(ctx);
        const report = await importEvents(ctx, { file, locationId: id, ...how });
        const text = `Events at none of our locations go to ${name}; choose another with --location.`;
        return { ...report, notes: [...report.notes, { line: 1, text }] };
      }),
    );

  importing('bookings', 'Bookings of one resource from an iCalendar file, a year back and ahead')
    .requiredOption('--resource <slug>', 'the resource that is booked')
    .action((path: string, options: ImportCommandOptions & { resource: string }) =>
      runImportCommand(path, options, (ctx, file, how) =>
        importBookings(ctx, { file, resource: options.resource, ...how }),
      ),
    );
}

async function runImportCommand(
  path: string,
  options: ImportCommandOptions,
  work: (ctx: Context, file: Uint8Array, how: ImportOptions) => Promise<ImportReport>,
): Promise<void> {
  const file = await readInputFile(path);
  const bar = createProgressBar();
  const report = await withDatabase(({ ctx }) =>
    work(ctx, file, { dryRun: options.dryRun, onProgress: bar.show }),
  ).finally(bar.stop);
  printResult(options, report, formatReport(report));
}

/** On standard error, and only where somebody watches and it takes a while. */
function createProgressBar() {
  const bar = new SingleBar(
    { format: '{bar} {value} of {total}', clearOnComplete: true },
    Presets.shades_classic,
  );
  let started = false;
  return {
    show: (done: number, total: number) => {
      if (total < MIN_ROWS_FOR_PROGRESS || !process.stderr.isTTY) return;
      if (!started) bar.start(total, 0);
      started = true;
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}

function formatReport({ dryRun, imported, unchanged, skipped, rows, notes }: ImportReport): string {
  const remarks = [
    ...notes.map(({ line, text }) => `line ${line}: ${text}`),
    ...rows
      .filter(({ reason }) => reason !== undefined)
      .map(({ line, what, outcome, reason }) => `line ${line}: ${what}: ${outcome}: ${reason}`),
  ];
  const sum = `${dryRun ? 'Would import' : 'Imported'} ${imported}, ${unchanged} there already, skipped ${skipped}.`;
  return [...remarks, sum].join('\n');
}

async function getFirstLocation(ctx: Context): Promise<Location> {
  const location = await ctx.db.location.findFirst({
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  if (location === null) {
    throw new DomainError(
      'CONFLICT',
      'There is no location yet: create one in the admin panel first.',
      {
        reason: 'NO_LOCATION',
      },
    );
  }
  return location;
}
