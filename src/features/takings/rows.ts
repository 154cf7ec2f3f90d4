import { z } from 'zod';
import { boundedText, calendarDate, uuid } from '../../core/validation.ts';
import type { DailyClosing } from '../../db/generated/client.ts';
import { createdAt, type RowDescription, rowId, updatedAt } from '../../rows/row.ts';

const amount = (description: string) =>
  ({ hidden: 'Shown with its currency', schema: z.int(), description, journal: true }) as const;

export const dailyClosingRow = {
  table: 'daily_closings',
  columns: {
    id: rowId('Identifies the closing in both APIs'),
    locationId: {
      hidden: 'Shown as location',
      schema: uuid,
      description: 'The location whose cash was counted',
      journal: true,
    },
    day: {
      schema: calendarDate,
      description: 'The day that was closed, in the time zone of the location',
    },
    currency: {
      hidden: 'Shown with the amounts',
      schema: z.string(),
      journal: true,
      erasure: 'technical',
    },
    openingAmount: amount('The cash at the start of the day'),
    takenAmount: amount('The cash that was received'),
    paidBackAmount: amount('The cash that was returned'),
    countedAmount: amount('The cash that was counted'),
    note: {
      schema: boundedText(1_000).nullable(),
      description:
        'Remarks, such as why the count differs. Needed if the opening amount differs from the last count',
      whenNull: 'null if there are none',
      create: 'optional',
      update: true,
      erasure: 'content',
    },
    closedById: {
      hidden: 'Shown as closedBy',
      schema: uuid.nullable(),
      description: 'The account of staff that counted the cash',
      whenNull: 'null if no account of staff did',
      journal: true,
    },
    createdAt: createdAt('When the cash was counted'),
    updatedAt: updatedAt(),
  },
  computed: {
    closedBy: {
      schema: z.string().nullable(),
      description: 'The name of the staff user who counted the cash',
      whenNull: 'null if an API token did, or the user no longer exists',
      sql: (row) => `(SELECT named.name FROM users named WHERE named.id = ${row}.closed_by_id)`,
    },
  },
} as const satisfies RowDescription<DailyClosing>;
