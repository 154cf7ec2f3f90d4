import { z } from 'zod';
import { uuid } from '../../core/validation.ts';
import type { CheckIn } from '../../db/generated/client.ts';
import { CheckInResult, CheckInSubject } from '../../db/generated/enums.ts';
import { type RowDescription, rowId } from '../../rows/row.ts';

export const checkInSubject = z.enum(CheckInSubject);

/** An attempt to check in or out. An admitted one is a visit. */
export const checkInRow = {
  table: 'check_ins',
  columns: {
    id: rowId('Identifies the attempt; if it was admitted, it also identifies the visit'),
    locationId: { hidden: 'Shown as location', schema: uuid, journal: true },
    result: { schema: z.enum(CheckInResult), description: 'What happened, for programs' },
    subject: { hidden: 'Shown with its title', schema: checkInSubject.nullable(), journal: true },
    unconfirmed: {
      schema: z.boolean(),
      description:
        'Whether a client that is not a paired kiosk checked the person in by handle, and staff has not confirmed it.',
    },
    disputed: {
      schema: z.boolean(),
      description: 'Whether the payment of the ticket or day pass was disputed',
    },
    beforeCancellation: {
      schema: z.boolean(),
      description:
        'Whether the ticket or day pass was admitted offline, and cancelled before the scan was uploaded',
    },
    label: {
      schema: z.string().nullable(),
      description: 'The name of the person',
      whenNull: 'null if nobody was found',
      erasure: 'name',
    },
    ticketId: {
      hidden: 'Shown as ticket',
      schema: uuid.nullable(),
      description: 'The ticket that was used',
      whenNull: 'null if it was none',
      journal: true,
    },
    entry: { hidden: 'Prevents a second admission with the same ticket' },
    dayPassId: {
      hidden: 'Shown as dayPass',
      schema: uuid.nullable(),
      description: 'The day pass that was used',
      whenNull: 'null if it was none',
      journal: true,
    },
    bookingId: {
      hidden: 'Shown as booking',
      schema: uuid.nullable(),
      description: 'The booking that was used',
      whenNull: 'null if it was none',
      journal: true,
    },
    memberId: {
      hidden: 'Shown as member',
      schema: uuid.nullable(),
      description: 'The member who checked in',
      whenNull: 'null if it was nobody',
      journal: true,
    },
    hostId: {
      hidden: 'Shown as host',
      schema: uuid.nullable(),
      description: 'The member whom a visitor visits',
      whenNull: 'null if nobody is visited',
      journal: true,
    },
    occurredAt: { hidden: 'Shown as at' },
    autoCheckOutAt: {
      schema: z.date().nullable(),
      description: 'When the visit ends automatically',
      journal: false,
    },
    checkedOutAt: {
      schema: z.date().nullable(),
      description: 'When the visit ended',
      whenNull: 'null while it lasts, or if nobody was admitted',
    },
    autoCheckedOut: {
      schema: z.boolean(),
      description: 'Whether the visit ended automatically',
      journal: false,
    },
    endedVisit: { hidden: 'Shown as result' },
    scanId: { hidden: 'A hash, to recognize a retry', erasure: 'technical' },
    requestHash: { hidden: 'A hash, to recognize a retry' },
    checkOutHash: { hidden: 'A secret' },
    checkOutSalt: { hidden: 'A secret' },
    actor: {
      schema: z.string(),
      description: 'The kind of the caller, such as kiosk, and the id if there is one',
      journal: false,
      erasure: 'technical',
    },
    createdAt: { hidden: 'Shown as recordedAt' },
  },
  computed: {
    at: {
      schema: z.date(),
      description: 'When it happened',
      sql: (row) => `${row}.occurred_at`,
    },
    recordedAt: {
      schema: z.date(),
      description: 'When the server recorded it',
      sql: (row) => `${row}.created_at`,
    },
  },
} as const satisfies RowDescription<CheckIn>;
