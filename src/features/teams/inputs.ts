import { z } from 'zod';
import { anyId, boundedText, creationFilter } from '../../core/validation.ts';

export const teamFilter = creationFilter
  .extend({
    q: boundedText(200).optional().meta({ description: 'Part of the name' }),
  })
  .meta({ description: 'Limits a list of teams; all conditions apply together' });

const id = anyId.meta({ description: 'The id of the team' });
const name = boundedText(200).meta({ description: 'The name of the team' });

export const createTeamInput = z.object({ name });

export const updateTeamInput = z.object({ id, name: name.optional() });

export const teamIdInput = z.object({ id });
