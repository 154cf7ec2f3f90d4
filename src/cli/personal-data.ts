import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { z } from 'zod';
import { isCalendarDate } from '../core/time/calendar-date.ts';
import { boundedText, createUuid, parseInput } from '../core/validation.ts';
import { DomainError } from '../errors.ts';
import { erasePersonalData } from '../features/personal-data/service/erase.ts';
import { exportPersonalData } from '../features/personal-data/service/export.ts';
import {
  type Summary,
  summarizePersonalData,
} from '../features/personal-data/service/personal-data.ts';
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
    .description('Show, export or erase what is stored about a person');

  addPersonOptions(group.command('show'))
    .description('Count what is stored about a person')
    .action((options: PersonOptions) =>
      withDatabase(async ({ ctx }) => {
        const summary = await summarizePersonalData(ctx, parsePersonOptions(options));
        const { emails, memberIds, names, otherEmails, openContracts, counts } = summary;
        const { disputedOrders, mentions } = summary;
        printResult(
          options,
          {
            ...{ emails, member_ids: memberIds, names, other_emails: otherEmails, counts },
            open_bookings: openContracts.bookings,
            open_memberships: openContracts.memberships,
            disputed_orders: disputedOrders,
            mentions,
          },
          formatSummary(summary),
        );
      }),
    );

  addPersonOptions(group.command('export'))
    .description('Export everything about a person as JSON')
    .option('--out <file>', 'file to write; standard output if omitted')
    .action((options: PersonOptions & { out?: string }) =>
      withDatabase(async ({ ctx }) => {
        const data = await exportPersonalData(ctx, parsePersonOptions(options));
        if (options.out === undefined) {
          process.stdout.write(`${JSON.stringify(data, null, options.json ? undefined : 2)}\n`);
          return;
        }
        await writeNewFile(options.out, `${JSON.stringify(data, null, 2)}\n`);
        const rows = Object.values(data.data).reduce((sum, { length }) => sum + length, 0);
        printResult(
          options,
          { file: options.out, rows },
          `Wrote ${rows} entries to ${options.out}.`,
        );
      }),
    );

  addPersonOptions(group.command('erase'))
    .description(
      'Erase a person from every table; orders, payments and statistics are kept without the name',
    )
    .option('--reason <text>', 'text recorded with the erasure, such as the date of the request')
    .option('--end-contracts', 'first cancel upcoming bookings without a fee and end memberships')
    .option('--yes', 'confirm; without it, nothing is changed')
    .action((options: EraseOptions) =>
      withDatabase(async ({ ctx }) => {
        const input = parsePersonOptions(options);
        if (!options.yes) {
          const summary = await summarizePersonalData(ctx, input);
          throw new DomainError(
            'BAD_REQUEST',
            [
              `Nothing was changed. Stored: ${formatCounts(summary.counts)}.`,
              ...formatDisputes(summary),
              'Erasing cannot be undone: add --yes to confirm.',
            ].join(' '),
            { reason: 'CONFIRMATION_MISSING' },
          );
        }
        const reason =
          options.reason === undefined ? undefined : parseInput(boundedText(500), options.reason);
        const erasure = await erasePersonalData(ctx, {
          ...{ ...input, reason, endContracts: options.endContracts },
        });
        const { id, counts, mentions, otherEmails, disputedOrders } = erasure;
        printResult(
          options,
          { id, counts, mentions, other_emails: otherEmails, disputed_orders: disputedOrders },
          [`Erased: ${formatCounts(counts)}.`, ...formatNotes(erasure)].join('\n'),
        );
      }),
    );
}

const addPersonOptions = (command: Command) =>
  addJsonOption(command)
    .option('--email <address>', 'email address of the person')
    .option('--member <id>', 'ID of a member')
    .option('--name <name>', 'name of a person without an email address, such as a visitor')
    .option('--date <day>', 'with --name: only this day, such as 2026-03-18');

const personOptionsSchema = z.object({
  email: z.email('--email: must be an email address').optional(),
  memberId: createUuid('--member: must be the ID of a member').optional(),
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
      ? [
          `Still open: ${bookings} upcoming bookings, ${memberships} memberships. Add --end-contracts to end them before erasing.`,
        ]
      : []),
    ...formatNotes(rest),
  ].join('\n');
}

const formatDisputes = ({ disputedOrders }: Pick<Summary, 'disputedOrders'>) =>
  disputedOrders.length === 0
    ? []
    : [
        `The payment of these orders is disputed with the bank: ${disputedOrders.join(', ')}. Without the names you may not be able to answer it.`,
      ];

const formatNotes = ({
  mentions,
  otherEmails,
  disputedOrders,
}: Pick<Summary, 'mentions' | 'otherEmails' | 'disputedOrders'>) => [
  ...formatDisputes({ disputedOrders }),
  ...(otherEmails.length > 0
    ? [
        `Orders or address changes of this member also name ${otherEmails.join(', ')}. Search for these addresses as well.`,
      ]
    : []),
  ...mentions.map(({ table, id }) => `Check this text, which names the person: ${table} ${id}`),
];

const formatCounts = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([table, count]) => `${count} ${table}`)
    .join(', ') || 'nothing';

/**
 * Writes a file that only its owner can read.
 *
 * @throws BAD_REQUEST if the file exists or cannot be written.
 */
const writeNewFile = (path: string, content: string) =>
  writeFile(path, content, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    throw new DomainError(
      'BAD_REQUEST',
      `Cannot write ${path} (${error.code}). Choose a new file in a writable directory.`,
      {
        reason: 'FILE_NOT_WRITTEN',
      },
    );
  });
