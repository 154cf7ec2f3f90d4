import { z } from 'zod';
import { anyId, moneyInput, singleLine, uuid } from '../../core/validation.ts';
import { describeChanges, toChangeShape, toCreationShape } from '../../rows/inputs.ts';
import { discountCodeRow } from './rows.ts';

export const discountCodeFilter = z
  .object({
    eventId: uuid.optional().meta({ description: 'Only codes for this event alone' }),
    active: z
      .boolean()
      .optional()
      .meta({ description: 'Only active codes, or only inactive ones' }),
    q: singleLine(40).optional().meta({ description: 'Part of the code' }),
  })
  .meta({ description: 'Limits a list of discount codes; all conditions apply together' });

const id = anyId.meta({ description: 'The id of the discount code' });

export const discountCodeIdInput = z.object({ id });

const { code, ...creation } = toCreationShape(discountCodeRow);

export const createDiscountCodeInput = z
  .object({
    code: code.meta({
      description:
        '3 to 40 letters, digits and dashes, stored in capitals. Default: a random code.',
    }),
    ...creation,
    amount: moneyInput
      .refine(({ amount }) => amount >= 1, { path: ['amount'], error: 'must be at least 1' })
      .optional()
      .meta({ description: 'The amount off the whole order' }),
  })
  .refine(({ percent, amount }) => (percent == null) !== (amount === undefined), {
    message: 'Specify either percent or amount.',
  })
  .meta({ description: 'Either a percentage or an amount' });

export const updateDiscountCodeInput = z
  .object({ id, ...toChangeShape(discountCodeRow) })
  .meta({ description: describeChanges(discountCodeRow) });
