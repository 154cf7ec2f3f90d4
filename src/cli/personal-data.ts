import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { z } from 'zod';
import { isCalendarDate } from '../core/time/calendar-date.ts';
import { boundedText, parseInput } from '../core/validation.ts';
import { DomainError } from '../errors.ts';
import {
  erasePersonalData,
  exportPersonalData,
  type Summary,
  summarizePersonalData,
} from '../features/personal-data/service.ts';
import { addJsonOption, printResult, withDatabase } from './run-command.ts';

interface PersonOptions {
  email?: string;
  member?: string;
  name?: string;
  date?: string;
  json?: boolean;
}

interface EraseOptions extends PersonOptions {
  reason?: string;
  endContracts?: boolean;
  yes?: boolean;
}

export function personalDataCommands(program: Command): void {
  const group = program
    .command('personal-data')
    .description('What is stored about a person: show, export, erase');

  addPersonOptions(group.command('show'))
    .description('How much is stored about a person')
    .action((options: PersonOptions) =>
      withDatabase(async ({ ctx }) => {
        const summary = await summarizePersonalData(ctx, parsePersonOptions(options));
        const { emails, memberIds, names, otherEmails, openContracts, mentions, counts } = summary;
        printResult(
          options,
          {
            ...{ emails, member_ids: memberIds, names, other_emails: otherEmails, counts },
            open_bookings: openContracts.bookings,
            open_memberships: openContracts.memberships,
            mentions,
          },
          formatSummary(summary),
        );
      }),
    );

  addPersonOptions(group.command('export'))
    .description('Everything about a person as one JSON file')
    .option('--out <file>', 'where to write it; to the terminal, if left out')
    .action((options: PersonOptions & { out?: string }) =>
      withDatabase(async ({ ctx }) => {
        const data = await exportPersonalData(ctx, parsePersonOptions(options));
        if (options.out === undefined) {
          process.stdout.write(`${JSON.stringify(data, null, options.json ? undefined : 2)}\n`);
          return;
        }
        await writeNewFile(options.out, `${JSON.stringify(data, null, 2)}\n`);
        const rows = Object.values(data.data).reduce((sum, { length }) => sum + length, 0);
        printResult(options, { file: options.out, rows }, `${options.out} holds ${rows} entries.`);
      }),
    );

  addPersonOptions(group.command('erase'))
    .description('Take a person out of every table; orders, payments and statistics stay')
    .option('--reason <text>', 'for the record, such as the date of the request')
    .option('--end-contracts', 'cancel coming bookings without a fee and end memberships first')
    .option('--yes', 'do it; without this, nothing is changed')
    .action((options: EraseOptions) =>
      withDatabase(async ({ ctx }) => {
        const input = parsePersonOptions(options);
        if (!options.yes) {
          const summary = await summarizePersonalData(ctx, input);
          throw new DomainError(
            'BAD_REQUEST',
            `Nothing was changed. Stored: ${formatCounts(summary.counts)}. This cannot be undone: add --yes to erase.`,
            { reason: 'CONFIRMATION_MISSING' },
          );
        }
        const reason =
          options.reason === undefined ? undefined : parseInput(boundedText(500), options.reason);
        const erasure = await erasePersonalData(ctx, {
          ...{ ...input, reason, endContracts: options.endContracts },
        });
        const { id, counts, mentions, otherEmails } = erasure;
        printResult(
          options,
          { id, counts, mentions, other_emails: otherEmails },
          [`Erased: ${formatCounts(counts)}.`, ...formatNotes({ mentions, otherEmails })].join(
            '\n',
          ),
        );
      }),
    );
}

const addPersonOptions = (command: Command) =>
  addJsonOption(command)
    .option('--email <address>', 'of the person')
    .option('--member <id>', 'of the member')
    .option('--name <name>', 'of somebody who left no address, such as a visitor')
    .option('--date <day>', 'with --name: only what happened on this day, such as 2026-03-18');

const personOptionsSchema = z.object({
  email: z.email('--email: must be an e-mail address').optional(),
  memberId: z.uuid('--member: must be the id of a member').optional(),
  name: boundedText(200).optional(),
  date: z
    .string()
    .refine(isCalendarDate, '--date: must be a real date such as 2026-01-31')
    .optional(),
});

const parsePersonOptions = ({ email, member, name, date }: PersonOptions) =>
  parseInput(personOptionsSchema, { email, memberId: member, name, date });

function formatSummary({ counts, openContracts, ...rest }: Summary): string {
  const { bookings, memberships } = openContracts;
  return [
    `Stored: ${formatCounts(counts)}.`,
    ...(rest.names.length > 0 ? [`Names: ${rest.names.join(', ')}`] : []),
    ...(bookings + memberships > 0
      ? [`Still open: ${bookings} coming bookings, ${memberships} memberships.`]
      : []),
    ...formatNotes(rest),
  ].join('\n');
}

const formatNotes = ({ mentions, otherEmails }: Pick<Summary, 'mentions' | 'otherEmails'>) => [
  ...(otherEmails.length > 0
    ? [
        `Orders of this member, or a change of address, also name ${otherEmails.join(', ')}. Search for these addresses, too.`,
      ]
    : []),
  ...mentions.map(({ table, id }) => `A text names the person: ${table} ${id}`),
];

const formatCounts = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([table, count]) => `${count} ${table}`)
    .join(', ') || 'nothing';

/** Only for the owner's eyes. Throws BAD_REQUEST when there is such a file, or it cannot be written. */
const writeNewFile = (path: string, content: string) =>
  writeFile(path, content, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    throw new DomainError('BAD_REQUEST', `${path} cannot be written (${error.code}).`, {
      reason: 'FILE_NOT_WRITTEN',
    });
  });
