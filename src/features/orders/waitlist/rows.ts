import { z } from 'zod';
import { emailAddress, personName, uuid } from '../../../core/validation.ts';
import type { WaitlistEntry, WaitlistStatus } from '../../../db/generated/client.ts';
import { createdAt, hiddenUpdatedAt, type RowDescription, rowId } from '../../../rows/row.ts';

const toTicketTypeSql = (entry: string, column: string) =>
  `(SELECT type.${column} FROM ticket_types type WHERE type.id = ${entry}.ticket_type_id)`;

export const WAITLIST_STATUSES = [
  'waiting',
  'offered',
  'accepted',
  'expired',
  'withdrawn',
] as const satisfies WaitlistStatus[];

export const waitlistEntryRow = {
  table: 'waitlist_entries',
  columns: {
    id: rowId('Identifies the entry'),
    ticketTypeId: { schema: uuid, description: 'The sold-out ticket type' },
    hash: { hidden: 'A secret' },
    resentHash: { hidden: 'A secret' },
    resentAt: { hidden: 'Limits how often the link is sent again' },
    memberId: {
      hidden: 'Shown as member',
      schema: uuid.nullable(),
      description: 'The member who joined while signed in',
      whenNull: 'null if nobody was',
      journal: true,
    },
    name: { schema: personName, description: 'The name of the person', erasure: 'name' },
    email: {
      schema: emailAddress,
      description: 'The address to which an offer is sent',
      erasure: 'address',
    },
    quantity: {
      schema: z.int(),
      description: 'How many tickets the person still waits for, including those of an open offer',
    },
    acceptsFewer: {
      schema: z.boolean(),
      description:
        'Whether the person gets an offer for fewer tickets if not all are available. False after such an offer was not accepted.',
    },
    status: {
      schema: z.enum(WAITLIST_STATUSES),
      description: 'Whether the person waits, has an offer, or is done',
    },
    orderId: {
      hidden: 'Shown as order',
      schema: uuid.nullable(),
      description: 'The order that accepted an offer',
      whenNull: 'null if there is none',
      journal: true,
    },
    seatKeys: { hidden: 'Hashes, to limit the seats of one client', erasure: 'technical' },
    createdAt: createdAt('When the person joined'),
    updatedAt: hiddenUpdatedAt,
  },
  computed: {
    ticketTypeName: {
      schema: z.string(),
      description: 'The name of the ticket type',
      sql: (row) => toTicketTypeSql(row, 'name'),
    },
    eventId: {
      schema: uuid,
      description: 'The event of the ticket type',
      sql: (row) => toTicketTypeSql(row, 'event_id'),
    },
  },
} as const satisfies RowDescription<WaitlistEntry>;
