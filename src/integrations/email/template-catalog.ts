import type { EmailTexts } from '../../languages/emails/email-texts.ts';
import { BOOKING_TEMPLATES, BOOKING_VARIABLES } from './booking-templates.ts';
import {
  createExampleAmount,
  createExampleDate,
  createExampleMoment,
  createExampleTime,
  createExampleTimeRange,
} from './examples.ts';
import { ORDER_TEMPLATES } from './order-templates.ts';
import type { EmailTemplate, TemplateVariable } from './template-description.ts';
import type { TemplateText } from './template-text.ts';
import { WAITLIST_TEMPLATES } from './waitlist-templates.ts';

export type { TemplateCategory } from './template-description.ts';
export type { EmailTemplate, TemplateVariable };

const MEMBERSHIP_VARIABLES = {
  plan: { description: 'The name of the plan', example: 'Flex desk' },
  team: {
    description: 'The name of the team that shares the membership. Empty for one person.',
    example: 'Northlight',
  },
  price: {
    description: 'The price of the plan, with its interval. Empty if it is free, and for a team.',
    example: (texts) =>
      texts.text('plan.price.month', { price: createExampleAmount(19_000)(texts) }),
  },
  start: { description: 'The first day', example: createExampleDate('2026-04-01') },
  end: {
    description: 'The last day. Empty if there is none.',
    example: createExampleDate('2026-12-31'),
  },
} as const satisfies Record<string, TemplateVariable>;

const ARRIVAL_VARIABLES = {
  location: BOOKING_VARIABLES.location,
  time: {
    description: 'When they arrived, in local time',
    example: createExampleTime('2026-03-18T10:30'),
  },
  guest: {
    description: 'The name that they have entered',
    example: 'Grace Hopper',
    isFromStranger: true,
  },
} as const satisfies Record<string, TemplateVariable>;

/**
 * Every template, by its key. Keys never change: overrides are stored under them. The texts of each language are in
 * `src/languages/emails`. Emails with sign-in links and address
 * confirmations are not among them, since nobody should be able to reword or switch them off.
 */
const EMAIL_TEMPLATES = {
  'member-welcome': {
    category: 'memberships',
    title: 'Welcome',
    description:
      'Sent to a new member, unless staff choose otherwise when they add one. Members whom a program adds get a confirmation of their address instead.',
    variables: {
      email: {
        description: 'The address with which the member signs in',
        example: 'nora@example.org',
      },
    },
  },
  ...BOOKING_TEMPLATES,
  'membership-started': {
    category: 'memberships',
    title: 'Membership added',
    description: 'Sent to a member, or to every member of a team, when they get a membership.',
    variables: MEMBERSHIP_VARIABLES,
  },
  'membership-plan-changed': {
    category: 'memberships',
    title: 'Plan changed',
    description:
      'Sent to a member, or to every member of a team, when their membership continues with another plan.',
    variables: {
      ...MEMBERSHIP_VARIABLES,
      previous: { description: 'The name of the plan before', example: 'Fixed desk' },
    },
  },
  'membership-ended': {
    category: 'memberships',
    title: 'Membership ends',
    description:
      'Sent to a member, or to every member of a team, when the last day of their membership is set or changed.',
    variables: MEMBERSHIP_VARIABLES,
  },
  'booking-reminder': {
    category: 'reminders',
    title: 'Booking reminder',
    description:
      'Sent to the holder 24 hours before a booking that was made or changed earlier than that.',
    variables: {
      resource: BOOKING_VARIABLES.resource,
      location: BOOKING_VARIABLES.location,
      address: BOOKING_VARIABLES.address,
      time: {
        description: 'The time in the zone of the location',
        example: BOOKING_VARIABLES.time.example,
      },
      due: BOOKING_VARIABLES.due,
    },
  },
  'event-reminder': {
    category: 'reminders',
    title: 'Event reminder',
    description:
      'Sent 24 hours before an event to the buyer of each order and to the holders of its paid tickets.',
    variables: {
      event: { description: 'The title of the event', example: 'Lightning talks' },
      location: BOOKING_VARIABLES.location,
      address: BOOKING_VARIABLES.address,
      time: {
        description: 'The time in the zone of the location',
        example: createExampleTimeRange('2026-03-19T19:00', '2026-03-19T22:00'),
      },
      order: { description: 'The code of the order', example: 'K7QX-2MPD' },
    },
  },
  'visitor-arrived': {
    category: 'visits',
    title: 'Visitor arrived',
    description: 'Sent to a member when a visitor checks in to see them.',
    variables: { ...ARRIVAL_VARIABLES },
  },
  'visitor-unconfirmed': {
    category: 'visits',
    title: 'Visitor not confirmed',
    description:
      'Sent to a member when a visitor checks in to see them and nobody has confirmed it, because the kiosk is not paired. At most once for each visitor, and ten times for each member, a day.',
    variables: { ...ARRIVAL_VARIABLES },
  },
  'guest-arrived': {
    category: 'visits',
    title: 'Guest arrived',
    description:
      'Sent to the notification address of a location when the guest of a booking or the holder of a day pass checks in.',
    variables: {
      ...ARRIVAL_VARIABLES,
      title: {
        description: 'The name of the day pass or of the resource',
        example: 'Flex day pass',
      },
    },
  },
  'display-offline': {
    category: 'displays',
    title: 'Display offline',
    description:
      'Sent to staff who want it when displays have been offline for 15 minutes. Displays that went offline together are one email.',
    variables: {
      count: {
        description: 'How many displays, as the beginning of a sentence',
        example: ({ text }) => text('outage.count', { count: 2 }),
      },
      displays: {
        description: 'The displays with their location, and since when, one a line',
        example: (texts) =>
          ['Hall', 'Room 1'].map((display) =>
            texts.text('outage.since', {
              ...{ display, location: 'Foyer Kreuzberg' },
              time: createExampleMoment('2026-03-19T09:30')(texts),
            }),
          ),
      },
    },
  },
  ...ORDER_TEMPLATES,
  ...WAITLIST_TEMPLATES,
} as const satisfies Record<string, EmailTemplate>;

export type TemplateKey = keyof typeof EMAIL_TEMPLATES;

export const TEMPLATE_KEYS = Object.keys(EMAIL_TEMPLATES) as TemplateKey[];

export const isTemplateKey = (key: string): key is TemplateKey =>
  Object.hasOwn(EMAIL_TEMPLATES, key);

export const getTemplate = (key: TemplateKey): EmailTemplate => EMAIL_TEMPLATES[key];

/** Returns the examples of the variables of a template, by name. */
export const listExamples = (texts: EmailTexts, key: TemplateKey) =>
  Object.fromEntries(
    Object.entries(getTemplate(key).variables).map(([name, { example }]) => [
      name,
      typeof example === 'function' ? example(texts) : example,
    ]),
  );

/** The wording of a template in a language. */
interface DefaultWording extends TemplateText {
  /** The label of the button, with variables. Whether there is one depends on the recipient: guests have no account. */
  action?: string;
}

/** Returns the wording of emails that operators have not reworded. */
export const getDefaultWording = ({ templates }: EmailTexts, key: TemplateKey): DefaultWording =>
  templates[key];

/** The values of a template. A list is shown with one entry a line. Null and an empty list omit their section. */
export type TemplateValues<Key extends TemplateKey = TemplateKey> = Record<
  keyof (typeof EMAIL_TEMPLATES)[Key]['variables'],
  string | readonly string[] | null
>;
