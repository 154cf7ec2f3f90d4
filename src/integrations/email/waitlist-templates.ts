import type { EmailTemplate, TemplateVariable } from './template-description.ts';

const WAITLIST_VARIABLES = {
  event: { description: 'The title of the event', example: 'Evening of short talks' },
  tickets: {
    description: 'The number and type of the tickets',
    example: '2 tickets (Regular)',
  },
} as const satisfies Record<string, TemplateVariable>;

/** Emails about waiting lists. */
export const WAITLIST_TEMPLATES = {
  'waitlist-joined': {
    category: 'orders',
    title: 'Waiting list joined',
    description:
      'Sent to a person who joined a waiting list, unless their address got such an email within a day.',
    variables: WAITLIST_VARIABLES,
    subject: "You're on the waiting list: {{event}}",
    body: `You're on the waiting list for {{tickets}} for {{event}}.

When tickets become available, we email you an offer. It says until when you can pay or confirm: up to 24 hours, or less if the event starts soon. You can change the number of tickets or leave the list at any time.`,
    action: 'Change or leave',
  },
  'waitlist-joined-again': {
    category: 'orders',
    title: 'Waiting list joined again',
    description:
      'Sent to a person who is on a waiting list when their address is entered again, at most once a day.',
    variables: WAITLIST_VARIABLES,
    subject: "You're already on the waiting list: {{event}}",
    body: `You're on the waiting list for {{tickets}} for {{event}}, and keep your place. Someone entered your address again. To change the number of tickets or to leave the list, open this link.`,
    action: 'Change or leave',
  },
  'waitlist-offered': {
    category: 'orders',
    title: 'Tickets offered',
    description: 'Sent to a person on a waiting list for whom available tickets are held.',
    variables: {
      ...WAITLIST_VARIABLES,
      until: {
        description: 'Until when the tickets are held',
        example: 'Thursday, 19 March 2026, 19:00 (Berlin time)',
      },
      price: {
        description: 'The total price of the tickets. Empty if they are free.',
        example: '€24.00',
      },
      onSite: {
        description:
          'Contains “yes” if the tickets are paid for at the location, and is empty otherwise',
        example: '',
      },
      wanted: {
        description: 'How many tickets the person waits for. Empty if all are offered.',
        example: '4',
      },
      rest: {
        description: 'How many of them are not offered yet. Empty if all are offered.',
        example: '2',
      },
    },
    subject: 'Tickets available: {{event}}',
    body: `It's your turn on the waiting list. We are holding {{tickets}} for {{event}} until {{until}}.

{{#price}}{{#onSite}}Pay {{price}} at the front desk by then.{{/onSite}}{{^onSite}}Pay {{price}} by then: open the offer with the link below.{{/onSite}}{{/price}}{{^price}}Confirm by then: open the offer with the link below. It is free.{{/price}} Otherwise, the tickets go to the next person on the list.

{{#wanted}}You are waiting for {{wanted}} tickets. If you take these, you stay on the list for the other {{rest}}, at your place. If you don't, you stay on the list and get an offer when all {{wanted}} are available.{{/wanted}}`,
    action: 'View the offer',
  },
  'waitlist-closed': {
    category: 'orders',
    title: 'Waiting list closed',
    description: 'Sent to everyone on the waiting list of a cancelled event.',
    variables: { event: WAITLIST_VARIABLES.event },
    subject: 'Waiting list closed: {{event}}',
    body: `{{event}} is cancelled, and its waiting list is closed. You don't need to do anything.`,
  },
} as const satisfies Record<string, EmailTemplate>;
