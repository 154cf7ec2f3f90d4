import type { MemberStatus } from '../../db/generated/enums.ts';

export const MEMBER_STATUSES = [
  'active',
  'paused',
  'former',
] as const satisfies readonly MemberStatus[];
