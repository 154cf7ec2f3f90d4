import { type Projection, projectInstant } from '../../db/json-projection.ts';

/** Projects a team. */
export const toTeamProjection = (row: string): Projection => ({
  id: `${row}.id`,
  name: `${row}.name`,
  createdAt: projectInstant(`${row}.created_at`),
});
