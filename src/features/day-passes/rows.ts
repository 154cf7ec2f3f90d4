import { z } from 'zod';
import { boundedText, singleLine, uuid } from '../../core/validation.ts';
import type { DayPassType } from '../../db/generated/client.ts';
import { hideColumns, type RowDescription, rowId, updatedAt } from '../../rows/row.ts';
import { orderLimitColumns } from '../order-limits/rows.ts';

export const dayPassTypeRow = {
  table: 'day_pass_types',
  columns: {
    id: rowId('Identifies the type in both APIs'),
    locationId: {
      hidden: 'Shown as location',
      schema: uuid,
      description: 'The location that the passes admit to',
      create: 'required',
      journal: true,
    },
    name: {
      schema: singleLine(200),
      description: 'What buyers see, such as "Day pass"; unique at its location',
      create: 'required',
      update: true,
      erasure: 'content',
    },
    description: {
      schema: boundedText(5000).nullable(),
      description: 'What the pass includes',
      whenNull: 'null if there is no text',
      create: 'optional',
      update: true,
      erasure: 'content',
    },
    priceAmount: {
      hidden: 'Shown as price',
      schema: z.int(),
      description: 'The price of one pass',
      journal: true,
    },
    priceCurrency: {
      hidden: 'Shown as price',
      schema: z.string(),
      journal: true,
      erasure: 'technical',
    },
    dailyCapacity: {
      schema: z.int().min(0).max(1_000_000).nullable(),
      description: 'The number of passes for each day',
      whenNull: 'null for no limit',
      create: 'optional',
      update: true,
    },
    daysAhead: {
      schema: z.int().min(0).max(1000),
      description: 'How many days in advance passes are sold',
      create: 'optional',
      update: true,
    },
    active: { schema: z.boolean(), description: 'Whether it is for sale', update: true },
    ...hideColumns(orderLimitColumns, 'Shown as orderLimits'),
    createdAt: { hidden: 'Types are sorted by name' },
    updatedAt: updatedAt('day-passes:read'),
  },
} as const satisfies RowDescription<DayPassType>;
