import { z } from 'zod';
import { boundedText, creationFilter, uuid } from '../../core/validation.ts';
import { mailRow } from './rows.ts';
import { MAIL_STATES } from './service.ts';

const { priority } = mailRow.columns;

export const mailArgs = z.object({
  id: uuid.meta({ description: 'The id of the email' }),
});

export const mailFilter = creationFilter
  .extend({
    q: boundedText(200).optional().meta({ description: 'Part of the address or the subject' }),
    recipient: boundedText(254)
      .optional()
      .meta({ description: 'Only emails to this address, in upper or lower case' }),
    state: z
      .array(z.enum(MAIL_STATES))
      .min(1)
      .max(MAIL_STATES.length)
      .optional()
      .meta({ description: 'Only emails in one of these states' }),
    priority: z
      .array(priority.schema)
      .min(1)
      .max(priority.schema.options.length)
      .optional()
      .meta({ description: 'Only emails with one of these priorities' }),
    mailingId: uuid.optional().meta({ description: 'Only the emails of this mailing' }),
  })
  .meta({ description: 'Limits a list of emails; all conditions apply together' });
