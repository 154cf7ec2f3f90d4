import { z } from 'zod';
import { boundedText, singleLine, uuid } from '../../core/validation.ts';
import type { Booking } from '../../db/generated/client.ts';
import { createdAt, type RowDescription, rowId, updatedAt } from '../../rows/row.ts';

export const BOOKING_STATUSES = ['pending', 'confirmed', 'cancelled', 'no_show'] as const;
export type BookingStatus = (typeof BOOKING_STATUSES)[number];

export const MAX_BOOKING_TITLE_LENGTH = 200;
export const MAX_BOOKING_NOTES_LENGTH = 5_000;

export const bookingRow = {
  table: 'bookings',
  columns: {
    id: rowId('Identifies the booking in both APIs'),
    resourceId: { hidden: 'Shown as resource', schema: uuid, journal: true },
    locationId: { hidden: 'Shown as location', schema: uuid, journal: true },
    memberId: { hidden: 'Shown as member', schema: uuid.nullable(), journal: true },
    guestName: {
      hidden: 'Shown as guest',
      schema: z.string().nullable(),
      journal: true,
      erasure: 'name',
    },
    guestEmail: {
      hidden: 'Shown as guest',
      schema: z.string().nullable(),
      journal: true,
      erasure: 'clear',
    },
    status: {
      schema: z.enum(BOOKING_STATUSES),
      description: 'Whether it is waiting for approval, confirmed, cancelled or missed',
    },
    title: {
      // A single line, because emails and calendars show it.
      schema: singleLine(MAX_BOOKING_TITLE_LENGTH).nullable(),
      description: 'What it is for, as displays, emails and calendars show it, on one line',
      whenNull: 'null if it has no title',
      create: 'optional',
      update: true,
      erasure: 'clear',
    },
    notes: {
      schema: boundedText(MAX_BOOKING_NOTES_LENGTH).nullable(),
      description: 'Remarks for staff and the member, on any number of lines',
      whenNull: 'null if there are none',
      create: 'optional',
      update: true,
      erasure: 'clear',
    },
    startsAt: { schema: z.date(), description: 'When it starts', create: 'required' },
    endsAt: {
      schema: z.date(),
      description: 'When it ends. The moment itself is no longer part of the booking.',
      create: 'required',
    },
    occupiedUntil: { hidden: 'The end and the buffer of the resource at the time of booking' },
    priceAmount: { hidden: 'Shown as price', schema: z.int(), journal: true },
    priceCurrency: {
      hidden: 'Shown as price',
      schema: z.string(),
      journal: true,
      erasure: 'technical',
    },
    membershipId: {
      hidden: 'The membership that determined the price',
      schema: uuid.nullable(),
      journal: true,
    },
    usageMonth: { hidden: 'For the usage of the membership' },
    includedMinutes: {
      hidden: 'For the usage of the membership',
      schema: z.int(),
      journal: true,
    },
    clockChangeMinutes: { hidden: 'For the usage of the membership' },
    seriesId: {
      schema: uuid.nullable(),
      description: 'Identifies the series that it belongs to',
      whenNull: 'null for single bookings',
    },
    checkedInAt: {
      schema: z.date().nullable(),
      description: 'When a person checked in for it',
      whenNull: 'null if nobody has',
    },
    importUid: {
      hidden: 'Identifies the calendar entry that it was imported from',
      erasure: 'copy',
    },
    importRevision: { hidden: 'Says whether only imports have written it' },
    cancelledAt: { hidden: 'Shown as cancellation', schema: z.date().nullable(), journal: true },
    cancelReason: {
      hidden: 'Shown as cancellation',
      schema: z.string().nullable(),
      journal: true,
      erasure: 'clear',
    },
    cancelFee: { hidden: 'Shown as cancellation', schema: z.int().nullable(), journal: true },
    paidAmount: { hidden: 'Shown as payment' },
    tracksPayment: { hidden: 'Shown as payment' },
    createdAt: createdAt('When it was made'),
    updatedAt: updatedAt(),
  },
} as const satisfies RowDescription<Booking>;
