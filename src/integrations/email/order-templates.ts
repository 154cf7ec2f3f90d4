import { formatWeekday } from '../../core/time/format.ts';
import { CLOSURE_VARIABLES } from './booking-templates.ts';
import {
  createExampleAmount,
  createExampleDate,
  createExampleMoment,
  createExampleTimeRange,
} from './examples.ts';
import type { EmailTemplate, TemplateVariable } from './template-description.ts';

const SUBJECT_VARIABLES = {
  title: {
    description: 'The title of the event, or the name and date of the day passes',
    example: 'Evening of short talks',
  },
  time: {
    description:
      'The time in the zone of the location. For day passes, the opening hours of the day, if the location has any.',
    example: createExampleTimeRange('2026-03-19T19:00', '2026-03-19T22:00'),
  },
  place: {
    description: 'The name of the location, the room of the event, and the address',
    example: 'Foyer Berlin, Hall, Torstraße 1, 10119 Berlin',
  },
  admission: {
    description: 'What admits one person, as words: “ticket” or “day pass”',
    example: ({ text }) => text('order.admission.ticket'),
  },
  admissions: {
    description: 'The same for several: “tickets” or “day passes”',
    example: ({ text }) => text('order.admissions.ticket'),
  },
} as const satisfies Record<string, TemplateVariable>;

const ORDER_VARIABLES = {
  ...SUBJECT_VARIABLES,
  order: { description: 'The code of the order', example: 'NVXXFD498' },
} as const satisfies Record<string, TemplateVariable>;

const HOLDER_VARIABLES = {
  ...SUBJECT_VARIABLES,
  buyer: {
    description: 'The name of the buyer. Empty if nothing was paid.',
    example: 'Nora Lind',
    isFromStranger: true,
  },
} as const satisfies Record<string, TemplateVariable>;

const REASON = {
  description: 'The reason that was entered. Empty if there is none.',
  example: 'The speaker is ill',
} as const;

const REFUND_VARIABLES = {
  refund: {
    description: 'The amount that is refunded. Empty if there is none.',
    example: createExampleAmount(2_400),
  },
  onSite: {
    description: 'Contains “yes” if staff return the money at the location, and is empty otherwise',
    example: '',
  },
} as const satisfies Record<string, TemplateVariable>;

const previous = {
  description: 'The time before. Empty if it is still the same.',
  example: createExampleTimeRange('2026-03-18T19:00', '2026-03-18T22:00'),
} as const;

const UNPAID_VARIABLES = {
  ...ORDER_VARIABLES,
  tickets: {
    description: 'How many tickets or day passes are ordered',
    example: ({ text }) => text('order.count.ticket', { count: 2 }),
  },
  price: { description: 'The price of the order', example: createExampleAmount(2_400) },
  until: {
    description: 'When the order expires, in the zone of the location',
    example: createExampleMoment('2026-03-18T18:00'),
  },
  desk: {
    description: 'The name and address of the location, where the order is paid',
    example: 'Foyer Berlin, Torstraße 1, 10119 Berlin',
  },
  hours: {
    description:
      'The opening hours of the location and the days on which it is closed, one a line. Empty if it never closes.',
    example: (texts) => {
      const { language, text } = texts;
      const [first, last] = [formatWeekday(1, language), formatWeekday(5, language)];
      const label = text('date.range', { first, last });
      const times = text('date.span', { opens: '09:00', closes: '18:00' });
      return [
        `${text('email.label', { label })} ${times}`,
        text('desk.closed', { days: createExampleDate('2026-03-13')(texts) }),
      ];
    },
  },
} as const satisfies Record<string, TemplateVariable>;

/** The templates of emails about orders, tickets and waiting lists. */
export const ORDER_TEMPLATES = {
  'order-confirmed': {
    category: 'orders',
    title: 'Order confirmed',
    description:
      'Sent to the buyer of a confirmed order, with the tickets as PDF, their QR codes and a calendar entry.',
    variables: {
      ...ORDER_VARIABLES,
      paid: {
        description: 'The amount paid. Empty for a free order.',
        example: createExampleAmount(2_400),
      },
      tickets: {
        description:
          'The codes to show at the entrance, one a line, with names if the order was paid',
        example: ['Nora Lind: MXSND9BX9DSV', 'Ida Berg: TTKD2CV8QWXH'],
        isFromStranger: true,
      },
    },
  },
  'order-reserved': {
    category: 'orders',
    title: 'Order reserved',
    description:
      'Sent to the buyer of an order that is paid at the front desk. Buyers without an account are first asked to confirm it, in an email that cannot be changed.',
    variables: UNPAID_VARIABLES,
  },
  'order-payment-due': {
    category: 'orders',
    title: 'Payment due',
    description:
      'Reminds the buyer of an unpaid order that is paid at the front desk, a day before it expires, or after half of the time if it is held for less than two days.',
    variables: UNPAID_VARIABLES,
  },
  'order-expired': {
    category: 'orders',
    title: 'Order expired',
    description:
      'Sent to the buyer when an order that is paid at the front desk expires without payment.',
    variables: {
      ...SUBJECT_VARIABLES,
      order: ORDER_VARIABLES.order,
      tickets: UNPAID_VARIABLES.tickets,
    },
  },
  'order-released': {
    category: 'orders',
    title: 'Unpaid order cancelled by staff',
    description:
      'Sent to the buyer when staff cancel an order that was to be paid at the front desk.',
    variables: {
      ...SUBJECT_VARIABLES,
      order: ORDER_VARIABLES.order,
      tickets: UNPAID_VARIABLES.tickets,
    },
  },
  'order-cancelled': {
    category: 'orders',
    title: 'Tickets or day passes cancelled',
    description: 'Sent to the buyer when tickets or day passes of an order are cancelled.',
    variables: {
      ...ORDER_VARIABLES,
      tickets: {
        description: 'How many tickets or day passes are cancelled',
        example: ({ text }) => text('order.cancelled.ticket', { count: 2 }),
      },
      several: {
        description: 'Contains “yes” if more than one is cancelled, and is empty otherwise',
        example: 'yes',
      },
      ...REFUND_VARIABLES,
      reason: REASON,
    },
  },
  'order-refunded': {
    category: 'orders',
    title: 'Order refunded',
    description:
      'Sent to the buyer when staff refund an amount without cancelling tickets or day passes.',
    variables: {
      ...ORDER_VARIABLES,
      ...REFUND_VARIABLES,
      reason: REASON,
      valid: {
        description:
          'Contains “yes” while tickets or day passes of the order are valid, and is empty otherwise',
        example: 'yes',
      },
    },
  },
  'order-payment-late': {
    category: 'orders',
    title: 'Payment too late',
    description: 'Sent to the buyer when a payment arrives after the tickets were sold to others.',
    variables: { ...ORDER_VARIABLES, ...REFUND_VARIABLES },
  },
  'order-payment-returned': {
    category: 'orders',
    title: 'Payment returned',
    description:
      'Sent to the buyer of an order that was paid twice, was already cancelled, or was paid with a wrong amount.',
    variables: {
      ...ORDER_VARIABLES,
      ...REFUND_VARIABLES,
      total: { description: 'The price of the order', example: createExampleAmount(4_800) },
      unpaid: {
        description: 'Contains “yes” if the order still has to be paid, and is empty otherwise',
        example: '',
      },
      status: {
        description: 'Whether the order is paid or cancelled',
        example: ({ text }) => text('order.alreadyPaid'),
      },
    },
  },
  'event-cancelled': {
    category: 'orders',
    title: 'Event cancelled',
    description: 'Sent to every buyer of a cancelled event.',
    variables: { ...ORDER_VARIABLES, ...REFUND_VARIABLES, reason: REASON },
  },
  'event-moved': {
    category: 'orders',
    title: 'Event moved',
    description: 'Sent to every buyer of an event when its time or place changes.',
    variables: {
      ...ORDER_VARIABLES,
      previous,
      until: {
        description:
          'When an order that has yet to be paid at the front desk expires. Empty if it is paid.',
        example: '',
      },
    },
  },
  'ticket-moved': {
    category: 'orders',
    title: 'Event moved, to other holders',
    description:
      'Sent to the holder of a ticket that another person bought, when the time or place of the event changes.',
    variables: { ...SUBJECT_VARIABLES, previous },
  },
  'ticket-closure': {
    category: 'orders',
    title: 'Closure during events and day passes',
    description:
      'Sent to buyers and holders of event tickets and day passes within a closure, if staff choose to email them. One email lists all their events and days.',
    variables: {
      ...CLOSURE_VARIABLES,
      admissions: {
        description: 'The events with their times, and the day passes with their days, one a line',
        example: (texts) => [
          `Evening of short talks, ${createExampleTimeRange('2026-12-24T19:00', '2026-12-24T22:00')(texts)}`,
        ],
      },
    },
  },
  'ticket-cancelled': {
    category: 'orders',
    title: 'Ticket or day pass cancelled, to other holders',
    description: 'Sent to the holder of a cancelled ticket or day pass that another person bought.',
    variables: { ...HOLDER_VARIABLES, reason: REASON },
  },
  'ticket-transferred': {
    category: 'orders',
    title: 'Ticket transferred',
    description: 'Sent to the new holder of a ticket or day pass, with it as PDF.',
    variables: {
      ...HOLDER_VARIABLES,
      code: { description: 'The code to show at the entrance', example: 'MXSND9BX9DSV' },
    },
  },
} as const satisfies Record<string, EmailTemplate>;
