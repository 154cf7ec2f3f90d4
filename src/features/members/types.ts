import { canReadCodes, type Viewer } from '../../auth/viewer.ts';
import { type Projection, projectIfVisible, projectRow } from '../../db/json-projection.ts';
import { projectFields } from '../../rows/projection.ts';
import { toTeamProjection } from '../teams/types.ts';
import { memberRow } from './rows.ts';

/** Projects a member for viewers who can read every member. */
export const toMemberProjection = (row: string, viewer: Viewer): Projection => ({
  ...projectFields(memberRow, row),
  ...projectIfVisible(canReadCodes(viewer, 'members:write'), { code: `${row}.code` }),
  team: projectRow('teams', `${row}.team_id`, toTeamProjection),
});
