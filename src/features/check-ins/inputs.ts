import { z } from 'zod';
import {
  anyId,
  boundedText,
  ignoreNull,
  personName,
  singleLine,
  uuid,
} from '../../core/validation.ts';
import { checkInRow, checkInSubject } from './rows.ts';

const { result } = checkInRow.columns;

export const visitorInput = z
  .strictObject({ name: personName.meta({ description: 'The name of the visitor' }) })
  .meta({ description: 'A person who visits a member' });

export const checkInInput = z
  .object({
    locationId: uuid.meta({ description: 'Where the person is' }),
    code: ignoreNull(singleLine(100)).meta({
      description: 'The code of a ticket, a day pass, a member or an order',
    }),
    handle: ignoreNull(singleLine(100)).meta({
      description: 'From a lookup; valid once, for two minutes',
    }),
    memberId: z
      .uuid()
      .optional()
      .meta({ description: 'For staff and tokens, and for members themselves' }),
    bookingId: uuid.optional().meta({
      description: 'For staff and tokens, and for members with a booking of their own',
    }),
    visitor: ignoreNull(visitorInput).meta({ description: 'A visitor of that member' }),
    leaving: ignoreNull(z.boolean()).meta({ description: 'Check out instead of checking in' }),
    // Clients choose it freely, so spaces count.
    scanId: ignoreNull(z.string().min(1).max(100)).meta({
      description:
        "The client's id of this scan: a retry with the same id returns the first result",
    }),
    occurredAt: ignoreNull(z.date()).meta({
      description:
        'When the scan happened, for uploads of offline scans: at most 24 hours ago, or 7 days for staff',
    }),
    readmit: z.boolean().optional().meta({
      description: 'Admit the holder of a used ticket again; for staff and tokens',
    }),
    admitDisputed: z.boolean().optional().meta({
      description:
        'Admit although the payment is disputed, if the settings let staff decide; for staff and tokens',
    }),
  })
  .meta({ description: 'Exactly one of code, handle, memberId and bookingId' });

export const checkOutInput = z
  .object({
    id: ignoreNull(anyId).meta({
      description: 'The id of the check-in, for callers with the scope check-ins:write',
    }),
    token: ignoreNull(z.string()).meta({ description: 'The checkOutToken of the admission' }),
  })
  .meta({ description: 'Exactly one of id and token' });

export const confirmVisitInput = z.object({
  id: anyId.meta({ description: 'The id of the unconfirmed attempt' }),
});

export const attemptFilter = z
  .object({
    locationId: uuid.optional().meta({ description: 'Only attempts at this location' }),
    present: z
      .boolean()
      .optional()
      .meta({ description: 'True: only people who are checked in, each once; false: all others' }),
    unconfirmed: z
      .boolean()
      .optional()
      .meta({ description: 'True: only unconfirmed visits; false: all other attempts' }),
    result: z
      .array(result.schema)
      .min(1)
      .max(result.schema.options.length)
      .optional()
      .meta({ description: 'Only attempts with one of these results' }),
    subject: z
      .array(checkInSubject)
      .min(1)
      .max(checkInSubject.options.length)
      .optional()
      .meta({ description: 'Only attempts with one of these subjects' }),
    from: z.date().optional().meta({ description: 'Happened at this time or later' }),
    to: z.date().optional().meta({ description: 'Happened before this time' }),
  })
  .meta({ description: 'Limits a list of check-in attempts; all conditions apply together' });

export const kioskArgs = z.object({
  location: boundedText(100).meta({ description: 'The slug or id of the location' }),
});
