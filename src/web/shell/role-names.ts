import type { StaffRole } from '../gql/graphql.ts';

const NAMES: Record<StaffRole, string> = {
  OWNER: 'owner',
  MANAGER: 'manager',
  FRONT_DESK: 'front desk',
};

export const roleName = (role: StaffRole | null) => (role === null ? 'staff' : NAMES[role]);
