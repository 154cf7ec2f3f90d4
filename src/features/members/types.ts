import { canReadCodes, type Viewer } from '../../auth/viewer.ts';
import {
  type Projection,
  projectIfVisible,
  projectInstant,
  projectRow,
} from '../../db/json-projection.ts';
import { toTeamProjection } from '../teams/types.ts';

/** Projects a member for viewers who can read every member. */
export const toMemberProjection = (row: string, viewer: Viewer): Projection => ({
  id: `${row}.id`,
  name: `${row}.name`,
  email: `${row}.email`,
  emailConfirmed: `(${row}.email_confirmed_at IS NOT NULL)`,
  phone: `${row}.phone`,
  company: `${row}.company`,
  status: `${row}.status`,
  ...projectIfVisible(canReadCodes(viewer, 'members:write'), { code: `${row}.code` }),
  team: projectRow('teams', `${row}.team_id`, toTeamProjection),
  createdAt: projectInstant(`${row}.created_at`),
});
