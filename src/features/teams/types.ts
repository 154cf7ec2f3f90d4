import type { Projection } from '../../db/json-projection.ts';
import { projectFields } from '../../rows/projection.ts';
import { teamRow } from './rows.ts';

/** Projects a team. */
export const toTeamProjection = (row: string): Projection => projectFields(teamRow, row);
