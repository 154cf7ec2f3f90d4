import { z } from 'zod';
import { singleLine, uuid } from '../core/validation.ts';
import { MEMBER_FIELDS } from './member-fields.ts';
import { UNDECIDED_CHOICES } from './member-status.ts';
import { BOOKING_PRICINGS } from './report.ts';
import { ENCODINGS } from './source/encoding.ts';

// A request has at most 200 kB. Larger files are sent in parts, each with the header.
const MAX_CHARACTERS = 150_000;
// One transaction imports them. The embedded database serves nobody else meanwhile, so that it must take a few seconds at most.
const MAX_LINES = 2_000;

const MAX_COLUMNS = 500;
const MAX_PLANS = 200;

const calendarFile = {
  file: z.string().min(1).max(MAX_CHARACTERS).optional().meta({
    description: 'The text of an iCalendar file. Send either this or fileId.',
  }),
  fileId: uuid.optional().meta({
    description: 'A larger iCalendar file, up to 16 MB, whose parts addImportFilePart has stored',
  }),
  fileName: singleLine(200).optional().meta({ description: 'The name of the file, for people' }),
  encoding: z.enum(ENCODINGS).optional().meta({
    description:
      'With fileId: the encoding of a file that is not Unicode. Default: what it looks like',
  }),
  dryRun: z.boolean().optional().meta({
    description: 'Report what would happen, and change nothing. Default: false',
  }),
};

const hasOneFile = ({ file, fileId }: { file?: string | undefined; fileId?: string | undefined }) =>
  (file === undefined) !== (fileId === undefined);
const ONE_FILE = { path: ['file'], error: 'send either file or fileId' };

export const importEventsInput = z
  .object({
    ...calendarFile,
    locationId: uuid.optional().meta({
      description: 'The location of events that name no known one. Default: the only location',
    }),
    publish: z.boolean().optional().meta({
      description: 'Publish the events at once. Default: false, which imports drafts',
    }),
  })
  .refine(hasOneFile, ONE_FILE);

export const importBookingsInput = z
  .object({
    ...calendarFile,
    resourceId: uuid.meta({ description: 'The resource whose calendar it is' }),
    pricing: z.enum(BOOKING_PRICINGS).optional().meta({
      description:
        'What the bookings cost, new ones that have not started and those that move. Default: NONE. One that has a price gets a new one when it moves, in any case.',
    }),
  })
  .refine(hasOneFile, ONE_FILE);

const DATE_ORDERS = ['day_first', 'month_first'] as const;

export const importPlanInput = z
  .object({
    name: singleLine(200).meta({ description: 'The name of a plan in the file' }),
    plan: singleLine(200)
      .nullable()
      .meta({ description: 'The name of the plan that it stands for; null for no plan' }),
  })
  .meta({ description: 'Which plan a name in a file stands for' });

export const importMembersInput = z.object({
  importId: uuid.optional().meta({
    description:
      'The import that this part belongs to, from startImport. Default: an import of its own',
  }),
  file: z
    .string()
    .min(1)
    .max(MAX_CHARACTERS)
    .refine(
      (text) => text.split(/\r\n?|\n/, MAX_LINES + 2).length <= MAX_LINES + 1,
      'must have at most 2,000 lines: send a larger file in parts, each with the header',
    )
    .meta({
      description:
        'The text of a CSV file with a header, at most 2,000 lines. Send a larger file in parts, each with the header.',
    }),
  lineOffset: z.int().min(0).max(10_000_000).optional().meta({
    description:
      'For a part of a larger file: how many lines further down its lines are in that file. Added to the lines of the report.',
  }),
  dateOrder: z.enum(DATE_ORDERS).optional().meta({
    description:
      'Whether dates such as 03/04/2024 begin with the day or the month. Default: as other dates of the file show. For a part of a larger file, send what the reports of the other parts say.',
  }),
  undecided: z.enum(UNDECIDED_CHOICES).optional().meta({
    description:
      'How leads and people who are not approved are imported. Default: their lines are problems, so that a person decides',
  }),
  columns: z.array(z.enum(MEMBER_FIELDS).nullable()).max(MAX_COLUMNS).optional().meta({
    description:
      'The field of each column of the header, in order; null for a column that is not imported. Default: as the names of the columns say',
  }),
  plans: z.array(importPlanInput).max(MAX_PLANS).optional().meta({
    description:
      'Which plans the names in the file stand for, such as those in unknownPlans of a dry run. Default: plans of the same names',
  }),
  dryRun: z.boolean().optional().meta({
    description: 'Report what would happen, and change nothing. Default: false',
  }),
  skipProblems: z.boolean().optional().meta({
    description:
      'Import the correct lines and skip the others. Default: false, which imports nothing if any line has a problem',
  }),
  update: z.boolean().optional().meta({
    description:
      'Change members whose email address is known: name, phone, company, address, customer number, status and team, as far as the file has them. Their plans stay. Default: false, so that they stay as they are',
  }),
  createTeams: z.boolean().optional().meta({
    description: 'Create the teams that do not exist yet. Default: false, a problem of their lines',
  }),
  sendEmails: z.boolean().optional().meta({
    description: 'Email members about their new memberships. Default: false',
  }),
});
