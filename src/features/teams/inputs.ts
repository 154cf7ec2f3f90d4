import { z } from 'zod';
import { anyId, boundedText, creationFilter } from '../../core/validation.ts';
import { toChangeShape, toCreationShape } from '../../rows/inputs.ts';
import { teamRow } from './rows.ts';

export const teamFilter = creationFilter
  .extend({
    q: boundedText(200).optional().meta({ description: 'Part of the name' }),
  })
  .meta({ description: 'Limits a list of teams; all conditions apply together' });

const id = anyId.meta({ description: 'The id of the team' });

export const createTeamInput = z.object(toCreationShape(teamRow));

export const updateTeamInput = z.object({ id, ...toChangeShape(teamRow) });

export const teamIdInput = z.object({ id });
