import { z } from 'zod';
import { anyId, creationFilter, singleLine } from '../../core/validation.ts';
import { MAILING_AUDIENCES, MAILING_STATUSES } from './types.ts';

const MAX_BODY_CHARACTERS = 20_000;
const MAX_SUBJECT_CHARACTERS = 200;

/** Control characters other than line breaks. */
const CONTROL_CHARACTERS = /(?!\n)[\p{Cc}\u2028\u2029]/gu;

const audience = z
  .enum(MAILING_AUDIENCES)
  .meta({ description: 'Whether attendees of an event or members get the mailing' });
const eventId = z
  .uuid()
  .optional()
  .meta({ description: 'The event, for attendees: buyers and holders of valid tickets' });
const planId = z
  .uuid()
  .optional()
  .meta({ description: 'Only members with this plan, also through their team' });
const locationId = z.uuid().optional().meta({
  description: 'Only members who visited or booked at this location in the last 90 days',
});

const content = {
  subject: singleLine(MAX_SUBJECT_CHARACTERS).meta({
    description: 'The subject line, without variables',
  }),
  body: z
    .string()
    .overwrite((text) => text.replace(/\r\n?/g, '\n').replace(CONTROL_CHARACTERS, ' ').trim())
    .min(1)
    .max(MAX_BODY_CHARACTERS)
    .meta({
      description:
        'Plain text. A blank line starts a new paragraph. To members, {{name}} becomes the name of the recipient.',
    }),
  audience,
  eventId,
  planId,
  locationId,
};

interface MailingContent {
  subject: string;
  body: string;
  audience: (typeof MAILING_AUDIENCES)[number];
  eventId?: string | undefined;
  planId?: string | undefined;
  locationId?: string | undefined;
}

const hasMatchingAudience = ({ audience, eventId, planId, locationId }: MailingContent) =>
  audience === 'attendees'
    ? eventId !== undefined && planId === undefined && locationId === undefined
    : eventId === undefined;
const MATCHING_AUDIENCE = {
  path: ['audience'],
  error: 'Attendees need eventId alone. Members can have planId and locationId.',
};

/** A mistyped variable would otherwise be sent to everyone. */
const hasKnownVariables = ({ subject, body, audience }: MailingContent) => {
  const unknown = audience === 'members' ? body.replaceAll('{{name}}', '') : body;
  return !`${subject}${unknown}`.includes('{{');
};
const KNOWN_VARIABLES = {
  path: ['body'],
  error: 'The only variable is {{name}}, in the body of a mailing to members.',
};

export const previewMailingInput = z
  .object(content)
  .refine(hasMatchingAudience, MATCHING_AUDIENCE)
  .refine(hasKnownVariables, KNOWN_VARIABLES)
  .meta({ description: 'The mailing to preview' });

export const createMailingInput = z
  .object({
    ...content,
    expectedRecipients: z.int().min(1).max(1_000_000).meta({
      description:
        'The number of recipients that previewMailing returned. Rejected if there are more than 10 % more by now.',
    }),
  })
  .refine(hasMatchingAudience, MATCHING_AUDIENCE)
  .refine(hasKnownVariables, KNOWN_VARIABLES);

const id = anyId.meta({ description: 'The id of the mailing' });

export const mailingIdInput = z.object({ id });

export const mailingArgs = z.object({ id });

export const mailingFilter = creationFilter
  .extend({
    status: z
      .array(z.enum(MAILING_STATUSES))
      .min(1)
      .max(MAILING_STATUSES.length)
      .optional()
      .meta({ description: 'Only mailings with one of these statuses' }),
    audience: audience
      .optional()
      .meta({ description: 'Only mailings to attendees, or to members' }),
    eventId: z
      .uuid()
      .optional()
      .meta({ description: 'Only mailings to the attendees of this event' }),
    planId: z.uuid().optional().meta({ description: 'Only mailings to members with this plan' }),
    locationId: z
      .uuid()
      .optional()
      .meta({ description: 'Only mailings to the members of this location' }),
  })
  .meta({ description: 'Limits a list of mailings; all conditions apply together' });
