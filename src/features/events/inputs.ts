import { z } from 'zod';
import { boundedText, uuid } from '../../core/validation.ts';
import { EVENT_STATUSES } from './rows.ts';

export const eventFilter = z
  .object({
    from: z
      .date()
      .optional()
      .meta({ description: 'Events that end after this time. Default: now.' }),
    to: z.date().optional().meta({ description: 'Events that start before this time' }),
    locationId: uuid.optional().meta({ description: 'Only events at this location' }),
    resourceId: uuid.optional().meta({ description: 'Only events in this resource' }),
    tag: boundedText(100).optional().meta({ description: 'Only events with this tag' }),
    q: boundedText(200).optional().meta({
      description: 'Words in the title or the summary, with or without accents; all must match',
    }),
    status: z
      .array(z.enum(EVENT_STATUSES))
      .min(1)
      .max(EVENT_STATUSES.length)
      .optional()
      .meta({ description: 'Only events with one of these statuses' }),
  })
  .meta({ description: 'Limits a list of events; all conditions apply together' });
