import { type Guess, hasReason, type RateLimits, toCodeGuess } from '../../../auth/rate-limits.ts';

/** An order that names a discount code: unknown codes are limited, orders are not. */
export const toDiscountGuess = (
  { discountCodes }: Pick<RateLimits, 'discountCodes'>,
  address: string,
  code: string | null | undefined,
): Guess | null =>
  code ? toCodeGuess(discountCodes, { address }, hasReason('DISCOUNT_UNKNOWN')) : null;
