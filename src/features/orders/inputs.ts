import { z } from 'zod';
import { type Guess, hasReason, toCodeGuess } from '../../auth/guesses.ts';
import type { RateLimits } from '../../auth/rate-limits.ts';
import {
  anyId,
  boundedText,
  calendarDate,
  emailAddress,
  ignoreNull,
  personName,
  textKinds,
  uuid,
} from '../../core/validation.ts';
import { ADMISSION_STATUSES, ORDER_STATUSES } from './rows.ts';
import { WAITLIST_STATUSES } from './waitlist/rows.ts';

const toFilterList = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.array(z.enum(values)).min(1).max(values.length).optional();

const MAX_QUANTITY = 100;
const MAX_ORDER_ITEMS = 20;

const lowerCaseEmail = emailAddress.transform((address) => address.toLowerCase());

const name = personName.meta({ description: 'The name of the person' });
const email = lowerCaseEmail.meta({ description: 'The address of the person' });

export const personInput = z
  .object({
    name: name.meta({ description: 'The full name, on one line' }),
    email: email.meta({ description: 'The email address' }),
  })
  .meta({ description: 'A person whom Foyer emails' });

export const attendeeInput = z
  .object({
    name: name.meta({ description: 'The full name, on one line' }),
    email: email.nullish().meta({
      description: 'Where to send the ticket; null or omitted: only the buyer receives it',
    }),
  })
  .meta({ description: 'The attendee of a ticket or the holder of a day pass' });

const attendees = z.array(attendeeInput).max(MAX_QUANTITY);

/** The technical limit of one order. Ticket types set lower ones. */
export const quantity = z.int().min(1).max(MAX_QUANTITY);

export const orderItemInput = z
  .strictObject({
    ticketTypeId: uuid.meta({ description: 'The type of the tickets' }),
    quantity: quantity.default(1).meta({ description: 'How many tickets' }),
    attendees: attendees.optional().meta({
      description:
        'The attendees of the first tickets. The other tickets get the name of the buyer.',
    }),
  })
  .meta({ description: 'Tickets of one type' });

export const toOrderItems = <Item extends z.ZodType>(item: Item) =>
  z.array(item).min(1).max(MAX_ORDER_ITEMS);

const buyer = personInput.meta({
  description: 'Gets the tickets or passes, and every email about the order',
});
const discountCode = ignoreNull(boundedText(40)).meta({
  description: 'A discount code, in upper or lower case',
});

export const placeOrderInput = z.object({
  eventId: boundedText(100)
    .register(textKinds, { kind: 'id' })
    .meta({ description: 'The id, or the slug' }),
  buyer,
  items: toOrderItems(orderItemInput).meta({ description: 'What to order, by ticket type' }),
  discountCode,
});

export const orderDayPassesInput = z.object({
  buyer,
  dayPassTypeId: uuid.meta({ description: 'The type of the passes' }),
  validOn: calendarDate.meta({ description: 'In the time zone of the location' }),
  holders: attendees
    .min(1)
    .optional()
    .meta({ description: 'One pass each. Default: one pass for the buyer.' }),
  discountCode,
});

const admissionIds = z.array(uuid).min(1).max(MAX_QUANTITY);

const secret = z.string().meta({ description: 'The secret of the order, from its link' });
const orderId = anyId.meta({ description: 'The id of the order' });
const ticketId = anyId.meta({ description: 'The id of the ticket or the day pass' });

export const orderIdInput = z.object({ id: orderId });

export const orderSecretInput = z.object({ secret });

export const cancelOrderInput = z.object({
  secret,
  ticketIds: ignoreNull(admissionIds).meta({
    description: 'Ids of tickets or day passes. Default: all.',
  }),
});

export const changeAttendeeInput = attendeeInput.extend({ secret, ticketId });

export const transferTicketInput = z.object({
  secret,
  ticketId,
  attendee: personInput.meta({ description: 'The person who gets the ticket or pass' }),
});

export const findOrdersInput = personInput.pick({ email: true });

export const refundOrderInput = z.object({
  id: uuid.meta({ description: 'The id of the order' }),
  ticketIds: admissionIds.optional().meta({
    description: 'Tickets and day passes to cancel. Default: all, unless an amount is given.',
  }),
  amount: z.int().min(0).max(2_000_000_000).optional().meta({
    description:
      "Minor units of the order's currency. Default: the price of the cancelled tickets. An amount without ticketIds cancels nothing, so 0 needs ticketIds.",
  }),
  reason: boundedText(1000).optional().meta({ description: 'Shown to the buyer' }),
});

export const extendOrderHoldInput = z.object({
  id: uuid.meta({ description: 'The id of the order' }),
  until: z.date().meta({
    description:
      'Until when to hold it: later than now, and at most until the event starts, or the location closes on the day of the pass',
  }),
});

const PAYMENT_METHODS = ['card_online', 'cash', 'card', 'other'] as const;

export const orderFilter = z
  .object({
    eventId: uuid.optional().meta({ description: 'Only orders of tickets for this event' }),
    memberId: uuid.optional().meta({ description: 'Only orders that this member placed' }),
    status: toFilterList(ORDER_STATUSES).meta({
      description: 'Only orders with one of these statuses',
    }),
    from: z.date().optional().meta({ description: 'Only orders placed at this time or later' }),
    to: z.date().optional().meta({ description: 'Only orders placed before this time' }),
    paidBy: toFilterList(PAYMENT_METHODS).meta({
      description: 'Only orders with a payment that was made in one of these ways',
    }),
    disputed: z.boolean().optional().meta({
      description: 'True: only orders with an open dispute about a payment; false: all others',
    }),
    q: boundedText(200).optional().meta({
      description:
        "The code of an order, a ticket or a day pass, or part of the buyer's name or email address",
    }),
  })
  .meta({ description: 'Limits a list of orders; all conditions apply together' });

const admissionStatus = toFilterList(ADMISSION_STATUSES);

export const ticketFilter = z.object({
  eventId: uuid.optional().meta({ description: 'Only tickets for this event' }),
  ticketTypeId: uuid.optional().meta({ description: 'Only tickets of this type' }),
  status: admissionStatus.meta({ description: 'Only tickets with one of these statuses' }),
  q: boundedText(200)
    .optional()
    .meta({ description: "The code, or part of the attendee's name or email address" }),
});

export const dayPassFilter = z.object({
  dayPassTypeId: uuid.optional().meta({ description: 'Only passes of this type' }),
  locationId: uuid.optional().meta({ description: 'Only passes for this location' }),
  status: admissionStatus.meta({ description: 'Only passes with one of these statuses' }),
  from: calendarDate.optional().meta({ description: 'Only passes for this date or later' }),
  to: calendarDate.optional().meta({ description: 'Only passes for this date or earlier' }),
  q: boundedText(200)
    .optional()
    .meta({ description: "The code, or part of the holder's name or email address" }),
});

export const joinWaitlistInput = personInput.extend({
  ticketTypeId: uuid.meta({ description: 'A sold-out ticket type' }),
  quantity: quantity.default(1).meta({ description: 'How many tickets the person wants' }),
  acceptsFewer: z.boolean().default(true).meta({
    description: 'Whether to offer fewer tickets if not all are available',
  }),
});

const waitlistSecret = z.string().meta({ description: 'The secret from the link in the email' });

export const leaveWaitlistInput = z.object({ secret: waitlistSecret });

export const changeWaitlistEntryInput = z.object({
  secret: waitlistSecret,
  quantity: quantity.optional().meta({
    description: 'How many tickets the person waits for. Default: no change.',
  }),
  acceptsFewer: z.boolean().optional().meta({
    description: 'Whether to offer fewer tickets if not all are available. Default: no change.',
  }),
});

export const waitlistFilter = z
  .object({
    eventId: uuid.optional().meta({ description: 'Only entries for this event' }),
    ticketTypeId: uuid.optional().meta({ description: 'Only entries for this ticket type' }),
    status: toFilterList(WAITLIST_STATUSES).meta({
      description: 'Only entries with one of these statuses',
    }),
  })
  .meta({ description: 'Limits a list of waiting-list entries; all conditions apply together' });

export const suspiciousHoldsArgs = z.object({
  eventId: anyId.optional().meta({ description: 'The event; either this or dayPassTypeId' }),
  dayPassTypeId: anyId
    .optional()
    .meta({ description: 'The day pass type; either this or eventId' }),
});

export const releaseHoldsInput = z.object({
  eventId: anyId
    .optional()
    .meta({ description: 'The event of the orders. Specify either this or dayPassTypeId.' }),
  dayPassTypeId: anyId.optional().meta({ description: 'The day pass type of the orders' }),
  key: z.string().meta({ description: 'The key of a group in suspiciousHolds' }),
});

/** Limits guesses of discount codes: orders with an unknown code count, other orders do not. */
export const toDiscountGuess = (
  { discountCodes }: Pick<RateLimits, 'discountCodes'>,
  address: string,
  code: string | null | undefined,
): Guess | null =>
  code ? toCodeGuess(discountCodes, { address }, hasReason('DISCOUNT_UNKNOWN')) : null;
