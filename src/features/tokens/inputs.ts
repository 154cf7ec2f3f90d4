import { z } from 'zod';
import { boundedText, creationFilter, uuid } from '../../core/validation.ts';
import { toCreationShape } from '../../rows/inputs.ts';
import { apiTokenRow } from './rows.ts';

export const apiTokenFilter = creationFilter
  .extend({
    q: boundedText(200).optional().meta({ description: 'Part of the name' }),
    active: z
      .boolean()
      .optional()
      .meta({ description: 'Only tokens that work, or only revoked and expired ones' }),
  })
  .meta({ description: 'Limits a list of API tokens; all conditions apply together' });

export const createApiTokenInput = z.object(toCreationShape(apiTokenRow));

const id = uuid.meta({ description: 'The id of the token' });

export const apiTokenIdInput = z.object({ id });

export const rotateApiTokenInput = z.object({
  id,
  overlapMinutes: z
    .int()
    .meta({ description: 'How many minutes the old token stays valid: 0 to 10080 (one week)' }),
});
