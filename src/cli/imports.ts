import { Presets, SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import type { Ctx } from '../context.ts';
import { DomainError } from '../errors.ts';
import * as spaces from '../features/spaces/service.ts';
import { importBookings } from '../imports/bookings.ts';
import { importEvents } from '../imports/events.ts';
import { importMembers } from '../imports/members.ts';
import type { ImportOptions, ImportReport } from '../imports/report.ts';
import { onDatabase, readGiven, say, withJson } from './run.ts';

interface Options {
  dryRun?: boolean;
  json?: boolean;
}

const LONG = 200;

export function importCommands(program: Command): void {
  const command = program
    .command('import')
    .description('Bring in what other programs have exported');
  const importing = (name: string, description: string) =>
    withJson(command.command(name))
      .description(description)
      .argument('<file>')
      .option('--dry-run', 'say what would happen and change nothing');

  importing('members', 'Members from a CSV file: name, e-mail, phone, company, status').action(
    (path: string, options: Options) =>
      perform(path, options, (ctx, file, how) => importMembers(ctx, { file, ...how })),
  );

  importing('events', 'Events from an iCalendar file, a year back and ahead')
    .option(
      '--location <slug>',
      'where events take place whose location is not one of ours; else our first',
    )
    .action((path: string, options: Options & { location?: string }) =>
      perform(path, options, async (ctx, file, how) => {
        if (options.location) {
          const { id } = await spaces.locationBySlug(ctx, options.location);
          return importEvents(ctx, { file, locationId: id, ...how });
        }
        const { id, name } = await firstLocation(ctx);
        const report = await importEvents(ctx, { file, locationId: id, ...how });
        const text = `Events at none of our locations go to ${name}; choose another with --location.`;
        return { ...report, notes: [...report.notes, { line: 1, text }] };
      }),
    );

  importing('bookings', 'Bookings of one resource from an iCalendar file, a year back and ahead')
    .requiredOption('--resource <slug>', 'the resource that is booked')
    .action((path: string, options: Options & { resource: string }) =>
      perform(path, options, (ctx, file, how) =>
        importBookings(ctx, { file, resource: options.resource, ...how }),
      ),
    );
}

async function perform(
  path: string,
  options: Options,
  work: (ctx: Ctx, file: Uint8Array, how: ImportOptions) => Promise<ImportReport>,
): Promise<void> {
  const file = await readGiven(path);
  const bar = progressBar();
  const report = await onDatabase(({ ctx }) =>
    work(ctx, file, { dryRun: options.dryRun, onProgress: bar.show }),
  ).finally(bar.stop);
  say(options, report, inWords(report));
}

/** On standard error, and only where somebody watches and it takes a while. */
function progressBar() {
  const bar = new SingleBar(
    { format: '{bar} {value} of {total}', clearOnComplete: true },
    Presets.shades_classic,
  );
  let started = false;
  return {
    show: (done: number, total: number) => {
      if (total < LONG || !process.stderr.isTTY) return;
      if (!started) bar.start(total, 0);
      started = true;
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}

function inWords({ dryRun, imported, unchanged, skipped, rows, notes }: ImportReport): string {
  const remarks = [
    ...notes.map(({ line, text }) => `line ${line}: ${text}`),
    ...rows
      .filter(({ reason }) => reason !== undefined)
      .map(({ line, what, outcome, reason }) => `line ${line}: ${what}: ${outcome}: ${reason}`),
  ];
  const sum = `${dryRun ? 'Would import' : 'Imported'} ${imported}, ${unchanged} there already, skipped ${skipped}.`;
  return [...remarks, sum].join('\n');
}

async function firstLocation(ctx: Ctx): Promise<spaces.Location> {
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
