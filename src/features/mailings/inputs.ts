import { z } from 'zod';
import { anyId, creationFilter, uuid } from '../../core/validation.ts';
import { toCreationShape } from '../../rows/inputs.ts';
import { mailingRow } from './rows.ts';

const content = z.object(toCreationShape(mailingRow));

type MailingContent = z.output<typeof content>;

const { audience, status } = mailingRow.columns;

const hasMatchingAudience = ({ audience, eventId, planId, locationId }: MailingContent) =>
  audience === 'attendees'
    ? eventId != null && planId == null && locationId == null
    : eventId == null;
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

export const previewMailingInput = content
  .refine(hasMatchingAudience, MATCHING_AUDIENCE)
  .refine(hasKnownVariables, KNOWN_VARIABLES)
  .meta({ description: 'The mailing to preview' });

export const createMailingInput = content
  .extend({
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
      .array(status.schema)
      .min(1)
      .max(status.schema.options.length)
      .optional()
      .meta({ description: 'Only mailings with one of these statuses' }),
    audience: audience.schema
      .optional()
      .meta({ description: 'Only mailings to attendees, or to members' }),
    eventId: z
      .uuid()
      .optional()
      .meta({ description: 'Only mailings to the attendees of this event' }),
    planId: uuid.optional().meta({ description: 'Only mailings to members with this plan' }),
    locationId: z
      .uuid()
      .optional()
      .meta({ description: 'Only mailings to the members of this location' }),
  })
  .meta({ description: 'Limits a list of mailings; all conditions apply together' });
