import { z } from 'zod';
import { type Guess, hasReason, type RateLimits, toCodeGuess } from '../../auth/rate-limits.ts';
import { isCalendarDate } from '../../core/time/calendar-date.ts';
import { boundedText, emailAddress, personName } from '../../core/validation.ts';

// Input that GraphQL and REST have in common.

const MAX_QUANTITY = 100;

const lowerCaseEmail = emailAddress.transform((address) => address.toLowerCase());
const attendeeNameSchema = personName;
export const personSchema = z.object({ name: attendeeNameSchema, email: lowerCaseEmail });
/** A person whose email address is optional. */
export const attendeeSchema = z.object({
  name: attendeeNameSchema,
  email: lowerCaseEmail.nullish(),
});
export const attendeesSchema = z.array(attendeeSchema).max(MAX_QUANTITY);
/** The technical limit of one order. Ticket types set lower ones. */
export const quantitySchema = z.int().min(1).max(MAX_QUANTITY);
export const discountCodeSchema = boundedText(40);
export const dateSchema = z
  .string()
  .refine(isCalendarDate, 'must be a real date such as 2026-01-31');
export const MAX_ORDER_ITEMS = 20;
export const admissionIdsSchema = z.array(z.uuid()).min(1).max(MAX_QUANTITY);

/** Limits guesses of discount codes: orders with an unknown code count, other orders do not. */
export const toDiscountGuess = (
  { discountCodes }: Pick<RateLimits, 'discountCodes'>,
  address: string,
  code: string | null | undefined,
): Guess | null =>
  code ? toCodeGuess(discountCodes, { address }, hasReason('DISCOUNT_UNKNOWN')) : null;
