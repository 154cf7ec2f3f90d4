import { z } from 'zod';
import { uuid } from '../../core/validation.ts';
import type { DiscountCode } from '../../db/generated/client.ts';
import { createdAt, type RowDescription, rowId, updatedAt } from '../../rows/row.ts';

const code = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9-]{3,40}$/, 'must be 3 to 40 letters, digits and dashes, such as SPRING-26');

export const discountCodeRow = {
  table: 'discount_codes',
  columns: {
    id: rowId('Identifies the code in both APIs; it is not what buyers type'),
    code: {
      schema: code,
      description: 'What buyers type: 3 to 40 letters, digits and dashes, in capitals',
      create: 'optional',
      journal: false,
      erasure: 'content',
    },
    eventId: {
      schema: uuid.nullable(),
      description: 'The event that the code applies to',
      whenNull: 'null for all events, and day passes',
      create: 'optional',
    },
    percent: {
      schema: z.int().min(1).max(100).nullable(),
      description: 'Percentage off the whole order, from 1 to 100',
      whenNull: 'null if the code takes off an amount',
      create: 'optional',
    },
    amount: {
      hidden: 'Shown with its currency',
      schema: z.int().nullable(),
      description: 'The amount off the whole order',
      whenNull: 'null if the code takes off a percentage',
      journal: true,
    },
    currency: {
      hidden: 'Shown with the amount',
      schema: z.string().nullable(),
      journal: true,
      erasure: 'technical',
    },
    maxUses: {
      schema: z.int().min(1).max(1_000_000_000).nullable(),
      description: 'How many orders can use the code',
      whenNull: 'null for no limit',
      create: 'optional',
      update: true,
    },
    uses: {
      schema: z.int(),
      description:
        'The number of pending and confirmed orders with this code. Orders that are paid late keep their discount, so it can exceed the maximum.',
      journal: false,
    },
    lateUses: { hidden: 'Part of uses' },
    startsAt: {
      schema: z.date().nullable(),
      description: 'When the code begins to work',
      whenNull: 'null if it does already',
      create: 'optional',
      update: true,
    },
    endsAt: {
      schema: z.date().nullable(),
      description: 'When the code stops working',
      whenNull: 'null if it does not',
      create: 'optional',
      update: true,
    },
    active: {
      schema: z.boolean(),
      description: 'Whether new orders can use the code',
      update: true,
    },
    createdAt: createdAt('When the code was created'),
    updatedAt: updatedAt(),
  },
} as const satisfies RowDescription<DiscountCode>;
