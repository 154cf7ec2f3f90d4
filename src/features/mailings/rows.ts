import { z } from 'zod';
import { rejectDirectionControls, singleLine, uuid } from '../../core/validation.ts';
import type { Mailing } from '../../db/generated/client.ts';
import { MailingAudience, MailingStatus } from '../../db/generated/enums.ts';
import { createdAt, type RowDescription, rowId } from '../../rows/row.ts';

/** Control characters other than line breaks. */
const CONTROL_CHARACTERS = /(?!\n)[\p{Cc}\u2028\u2029]/gu;

const body = rejectDirectionControls(
  z
    .string()
    .overwrite((text) => text.replace(/\r\n?/g, '\n').replace(CONTROL_CHARACTERS, ' ').trim())
    .min(1)
    .max(20_000),
);

export const mailingRow = {
  table: 'mailings',
  columns: {
    id: rowId('Identifies the mailing in both APIs'),
    subject: {
      schema: singleLine(200),
      description: 'The subject line, without variables',
      create: 'required',
      erasure: 'content',
    },
    body: {
      schema: body,
      description:
        'Plain text. A blank line starts a new paragraph. To members, {{name}} becomes the name of the recipient.',
      create: 'required',
      journal: false,
      erasure: 'content',
    },
    status: { schema: z.enum(MailingStatus), description: 'How far it has come' },
    audience: {
      schema: z.enum(MailingAudience),
      description: 'Whether attendees of an event or members get the mailing',
      create: 'required',
    },
    eventId: {
      hidden: 'Shown as event',
      schema: uuid.nullable(),
      description: 'The event, for attendees: buyers and holders of valid tickets',
      whenNull: 'null for members',
      create: 'optional',
      journal: true,
    },
    planId: {
      hidden: 'Shown as plan',
      schema: uuid.nullable(),
      description: 'Only members with this plan, also through their team',
      whenNull: 'null for any or none',
      create: 'optional',
      journal: true,
    },
    locationId: {
      hidden: 'Shown as location',
      schema: uuid.nullable(),
      description: 'Only members who visited or booked at this location in the last 90 days',
      whenNull: 'null for all',
      create: 'optional',
      journal: true,
    },
    recipientCount: {
      schema: z.int(),
      description:
        'How many mailboxes get it: counted when it was created, and again when it was sent',
    },
    cursor: { hidden: 'Only for the job that writes the emails' },
    writtenAt: { hidden: 'Only for the job that writes the emails' },
    sentCount: { hidden: 'Shown as sentCount, which is counted until no email waits' },
    failedCount: { hidden: 'Shown as failedCount, which is counted until no email waits' },
    createdById: { hidden: 'Shown as author' },
    createdAt: createdAt('When it was created'),
    endedAt: {
      schema: z.date().nullable(),
      description: 'When it was sent or cancelled',
      whenNull: 'null if it is being sent',
      journal: false,
    },
  },
} as const satisfies RowDescription<Mailing>;
