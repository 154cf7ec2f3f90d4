import { z } from 'zod';
import { boundedText, calendarDate, uuid } from '../../core/validation.ts';
import type { DailyClosing } from '../../db/generated/client.ts';
import { createdAt, type RowDescription, rowId, updatedAt } from '../../rows/row.ts';

const amount = { hidden: 'Shown with its currency', schema: z.int(), journal: true } as const;

export const dailyClosingRow = {
  table: 'daily_closings',
  columns: {
    id: rowId('Identifies the closing in correctDailyClosing'),
    locationId: { hidden: 'Shown as location', schema: uuid, journal: true },
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
    openingAmount: amount,
    takenAmount: amount,
    paidBackAmount: amount,
    countedAmount: amount,
    note: {
      schema: boundedText(1_000).nullable(),
      description: 'Remarks, such as why the count differs',
      whenNull: 'null if there are none',
      create: 'optional',
      update: true,
      erasure: 'content',
    },
    closedById: { hidden: 'Shown as closedBy', schema: uuid.nullable(), journal: true },
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
