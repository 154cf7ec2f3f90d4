import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { Presets, SingleBar } from 'cli-progress';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Context } from '../context.ts';
import type { Location } from '../db/generated/client.ts';
import { DomainError } from '../errors.ts';
import { importBookings } from '../imports/import-bookings.ts';
import { importEvents } from '../imports/import-events.ts';
import { importMemberFile } from '../imports/import-member-file.ts';
import { UNDECIDED_CHOICES, type UndecidedChoice } from '../imports/member-status.ts';
import type { ImportOptions, ImportReport } from '../imports/report.ts';
import { ENCODINGS, type Encoding } from '../imports/source/encoding.ts';
import { findLocationOption } from './find-location.ts';
import { importHistoryCommands } from './import-history.ts';
import { importThroughService } from './import-through-service.ts';
import { createReportPrinter } from './report-printer.ts';
import { addJsonOption, assertReadable, readInputFile, withDatabase } from './run-command.ts';

interface ImportCommandOptions {
  dryRun?: boolean;
  json?: boolean;
  encoding?: Encoding;
}

interface MemberImportOptions extends ImportCommandOptions {
  createTeams?: boolean;
  update?: boolean;
  sendEmails?: boolean;
  undecided?: UndecidedChoice;
  plan?: PlanOption[];
  url?: string;
  email?: string;
  password?: string;
}

interface PlanOption {
  name: string;
  plan: string | null;
}

/** Parses "name in the file=name of the plan". Nothing after the sign means no plan. */
function addPlanOption(text: string, others: PlanOption[] = []): PlanOption[] {
  const [name = '', ...plan] = text.split('=');
  if (name.trim() === '' || plan.length === 0)
    throw new InvalidArgumentError('Write the name in the file, =, and the name of the plan.');
  return [...others, { name: name.trim(), plan: plan.join('=').trim() || null }];
}

interface EventImportOptions extends ImportCommandOptions {
  location?: string;
  publish?: boolean;
}

/** The choices on the command line. */
const PRICINGS = { none: 'none', 'by-rules': 'by_rules' } as const;

interface BookingImportOptions extends ImportCommandOptions {
  resource: string;
  pricing?: keyof typeof PRICINGS;
}

const MIN_ROWS_FOR_PROGRESS = 200;

export function importCommands(program: Command): void {
  const command = program.command('import').description('Import data from other programs');
  const addImportCommand = (name: string, description: string) =>
    addJsonOption(command.command(name))
      .description(description)
      .argument('<file>')
      .option('--dry-run', 'report what would be imported, without changing anything')
      .addOption(
        new Option(
          '--encoding <encoding>',
          'encoding of a file that is not Unicode (default: what it looks like)',
        ).choices(ENCODINGS),
      );

  importHistoryCommands(command);
  addImportCommand(
    'members',
    'Import members from a CSV file: name, email, phone, company, address, postcode, city, country, customer number, status, plan, team, start date',
  )
    .option('--update', 'change members whose email address is known (default: leave them)')
    .option('--create-teams', 'create the teams that do not exist yet')
    .option('--send-emails', 'email members about their new memberships')
    .option(
      '--plan <name=plan>',
      'the plan that a name in the file stands for, or nothing after = for none; can be repeated',
      addPlanOption,
    )
    .addOption(
      new Option(
        '--undecided <status>',
        'how to import leads and people who are not approved (default: a problem of their lines)',
      ).choices(UNDECIDED_CHOICES),
    )
    .option('--url <url>', 'import through the service that runs at this address')
    .option('--email <email>', 'with --url: the owner or manager who imports')
    .option('--password <password>', 'with --url: the password of this person')
    .action((path: string, options: MemberImportOptions) => {
      if (options.url !== undefined) return importRemotely(path, options, options.url);
      return importMemberList(path, options);
    });

  addImportCommand(
    'events',
    'Import events from an iCalendar file, from a year ago to a year ahead; drafts that were imported before change with the file',
  )
    .option(
      '--location <slug>',
      'location for events without a known location (default: the first location)',
    )
    .option('--publish', 'publish the events at once (default: import drafts)')
    .action((path: string, options: EventImportOptions) =>
      runImportCommand(path, options, async (ctx, file, settings) => {
        const input = { file, publish: options.publish, ...settings };
        if (options.location) {
          const { id } = await findLocationOption(ctx, options.location);
          return importEvents(ctx, { ...input, locationId: id });
        }
        const { id, name } = await getFirstLocation(ctx);
        const report = await importEvents(ctx, { ...input, locationId: id });
        const text = `Events without a known location are imported for ${name}. Choose another location with --location.`;
        return { ...report, notes: [...report.notes, { line: null, text }] };
      }),
    );

  addImportCommand(
    'bookings',
    'Import bookings of one resource from an iCalendar file, from a year ago to a year ahead; those that were imported before change with the file',
  )
    .requiredOption('--resource <slug>', 'slug of the resource')
    .addOption(
      new Option(
        '--pricing <pricing>',
        'what new bookings and those that move cost: nothing, or what the rules say (default: none)',
      ).choices(Object.keys(PRICINGS)),
    )
    .action((path: string, options: BookingImportOptions) =>
      runImportCommand(path, options, (ctx, file, settings) =>
        importBookings(ctx, {
          file,
          resource: { slug: options.resource },
          ...settings,
          pricing: options.pricing && PRICINGS[options.pricing],
        }),
      ),
    );
}

async function importMemberList(path: string, options: MemberImportOptions): Promise<void> {
  await assertReadable(path);
  const bar = createProgressBar();
  const printer = createReportPrinter(options);
  const { dryRun, update, createTeams, sendEmails, undecided, encoding, plan: plans } = options;
  const report = await withDatabase(({ ctx }) =>
    importMemberFile(ctx, () => createReadStream(path), {
      ...{ dryRun, update, createTeams, sendEmails, undecided, encoding, plans },
      fileName: basename(path),
      onRow: printer.printRow,
      onProgress: bar.show,
    }),
  )
    .catch(explainDatabaseInUse)
    .finally(bar.stop);
  printer.printEnd(report);
}

async function importRemotely(
  path: string,
  { email = '', password = '', ...options }: MemberImportOptions,
  url: string,
): Promise<void> {
  const bar = createProgressBar();
  const printer = createReportPrinter(options);
  const report = await importThroughService({ url, email, password }, await readInputFile(path), {
    dryRun: options.dryRun ?? false,
    fileName: basename(path),
    update: options.update ?? false,
    createTeams: options.createTeams ?? false,
    sendEmails: options.sendEmails ?? false,
    undecided: options.undecided,
    plans: options.plan,
    encoding: options.encoding,
    onRow: printer.printRow,
    onProgress: bar.show,
  }).finally(bar.stop);
  printer.printEnd(report);
}

interface FileSettings extends ImportOptions {
  encoding: Encoding | undefined;
}

async function runImportCommand(
  path: string,
  options: ImportCommandOptions,
  work: (ctx: Context, file: Uint8Array, settings: FileSettings) => Promise<ImportReport>,
): Promise<void> {
  const file = await readInputFile(path);
  const bar = createProgressBar();
  const { rows, ...report } = await withDatabase(({ ctx }) =>
    work(ctx, file, {
      dryRun: options.dryRun,
      fileName: basename(path),
      encoding: options.encoding,
      onProgress: bar.show,
    }),
  )
    .catch(explainDatabaseInUse)
    .finally(bar.stop);
  const printer = createReportPrinter(options);
  for (const row of rows) printer.printRow(row);
  printer.printEnd(report);
}

/** While the service runs, only it can write to the embedded database. It can import files itself. */
function explainDatabaseInUse(error: unknown): never {
  if (!(error instanceof DomainError) || error.details.reason !== 'DATA_DIR_IN_USE') throw error;
  const advice =
    'While the service is running, use Import under Members, Events or Bookings in the panel. Members can also be imported with --url and its address.';
  throw new DomainError(error.code, `${error.message} ${advice}`, error.details);
}

/** Shows progress on standard error, but only for large imports in a terminal. */
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

async function getFirstLocation(ctx: Context): Promise<Location> {
  const location = await ctx.db.location.findFirst({
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  if (location === null) {
    throw new DomainError(
      'CONFLICT',
      'No location exists yet. Create one in the admin panel first.',
      {
        reason: 'NO_LOCATION',
      },
    );
  }
  return location;
}
