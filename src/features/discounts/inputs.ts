import { z } from 'zod';
import { anyId, moneyInput, singleLine } from '../../core/validation.ts';

export const discountCodeFilter = z
  .object({
    eventId: z.uuid().optional().meta({ description: 'Only codes for this event alone' }),
    active: z
      .boolean()
      .optional()
      .meta({ description: 'Only active codes, or only inactive ones' }),
    q: singleLine(40).optional().meta({ description: 'Part of the code' }),
  })
  .meta({ description: 'Limits a list of discount codes; all conditions apply together' });

const DISCOUNT_CODE_PATTERN = /^[A-Z0-9-]{3,40}$/;
const id = anyId.meta({ description: 'The id of the discount code' });

export const discountCodeIdInput = z.object({ id });

const maxUses = z.int().min(1).max(1_000_000_000);

export const createDiscountCodeInput = z
  .object({
    code: z
      .string()
      .trim()
      .toUpperCase()
      .regex(DISCOUNT_CODE_PATTERN, 'must be 3 to 40 letters, digits and dashes, such as SPRING-26')
      .optional()
      .meta({
        description:
          '3 to 40 letters, digits and dashes, stored in capitals. Default: a random code.',
      }),
    eventId: z.uuid().optional().meta({ description: 'Default: all events, and day passes' }),
    percent: z.int().min(1).max(100).optional().meta({ description: 'From 1 to 100' }),
    amount: moneyInput
      .refine(({ amount }) => amount >= 1, { path: ['amount'], error: 'must be at least 1' })
      .optional()
      .meta({ description: 'The amount off the whole order' }),
    maxUses: maxUses.optional().meta({ description: 'Default: unlimited' }),
    startsAt: z
      .date()
      .optional()
      .meta({ description: 'When the code starts to work. Default: now.' }),
    endsAt: z
      .date()
      .optional()
      .meta({ description: 'When the code stops to work. Default: never.' }),
  })
  .refine(({ percent, amount }) => (percent === undefined) !== (amount === undefined), {
    message: 'Specify either percent or amount.',
  })
  .meta({ description: 'Either a percentage or an amount' });

export const updateDiscountCodeInput = z
  .object({
    id,
    maxUses: maxUses.nullish().meta({ description: 'How many orders can use the code' }),
    startsAt: z.date().nullish().meta({ description: 'When the code starts to work' }),
    endsAt: z.date().nullish().meta({ description: 'When the code stops to work' }),
    active: z.boolean().optional().meta({ description: 'Whether new orders can use the code' }),
  })
  .meta({ description: 'Omitted fields stay as they are. Null removes a limit.' });
