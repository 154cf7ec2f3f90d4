import { createExampleAmount, createExampleMoment } from './examples.ts';
import type { EmailTemplate, TemplateVariable } from './template-description.ts';

const WAITLIST_VARIABLES = {
  event: { description: 'The title of the event', example: 'Evening of short talks' },
  tickets: {
    description: 'The number and type of the tickets',
    example: ({ text }) => text('waitlist.count', { count: 2, type: 'Regular' }),
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
  },
  'waitlist-joined-again': {
    category: 'orders',
    title: 'Waiting list joined again',
    description:
      'Sent to a person who is on a waiting list when their address is entered again, at most once a day.',
    variables: WAITLIST_VARIABLES,
  },
  'waitlist-offered': {
    category: 'orders',
    title: 'Tickets offered',
    description: 'Sent to a person on a waiting list for whom available tickets are held.',
    variables: {
      ...WAITLIST_VARIABLES,
      until: {
        description: 'Until when the tickets are held',
        example: createExampleMoment('2026-03-19T19:00'),
      },
      price: {
        description: 'The total price of the tickets. Empty if they are free.',
        example: createExampleAmount(2_400),
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
  },
  'waitlist-closed': {
    category: 'orders',
    title: 'Waiting list closed',
    description: 'Sent to everyone on the waiting list of a cancelled event.',
    variables: { event: WAITLIST_VARIABLES.event },
  },
} as const satisfies Record<string, EmailTemplate>;
