import type { StaffRole } from '../../../auth/viewer.ts';
import type { Prisma } from '../../../db/generated/client.ts';
import type { Projection } from '../../../db/json-projection.ts';
import { matchText } from '../../../db/text-search.ts';
import {
  type CreationFilter,
  matchCreation,
  matchEnum,
  type RowList,
} from '../../../lists/row-list.ts';
import { projectFields } from '../../../rows/projection.ts';
import { staffRow, toStatusSql } from '../rows.ts';
import type { StaffStatus, StaffUser } from '../types.ts';

interface StaffFilter extends CreationFilter {
  /** Part of the name or email address. */
  q?: string | undefined;
  role?: readonly StaffRole[] | undefined;
  status?: readonly StaffStatus[] | undefined;
}

/**
 * Staff, including invited and disabled users, by default sorted by name. Callers must check that the viewer manages staff.
 */
export const staffList: RowList<StaffUser, StaffFilter, 'NAME' | 'CREATED_AT'> = {
  name: 'staff',
  table: 'users',
  sortKeys: {
    NAME: { column: 'name', type: 'text', label: 'name' },
    CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of creation' },
  },
  defaultOrder: 'NAME_ASC',
  where: (row, { q, role, status, ...creation }, { bind }) => [
    `${row}.role IS NOT NULL`,
    ...(q ? [matchText([`${row}.name`, `${row}.email`], q, bind)] : []),
    ...(role ? [matchEnum(`${row}.role`, role)] : []),
    ...(status ? [matchEnum(toStatusSql(row), status)] : []),
    ...matchCreation(row, creation, bind),
  ],
  findByIds: async ({ db, now }, ids) => {
    const where = { id: { in: ids }, role: { not: null } };
    return (await db.user.findMany({ ...toStaffUserQuery(now()), where })).map(toStaffUser);
  },
};

/** Projects a staff user. `clock.now` is the current time. */
export const toStaffUserProjection = (row: string): Projection => projectFields(staffRow, row);

/** Selects staff users with the columns and counts that `toStaffUser` needs. */
export const toStaffUserQuery = (now: Date) =>
  ({
    omit: { passwordHash: true },
    include: {
      staffLink: {
        select: { expiresAt: true, createdBy: { select: { role: true, disabledAt: true } } },
      },
      _count: {
        select: {
          apiTokens: {
            where: { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
          },
        },
      },
    },
  }) satisfies Omit<Prisma.UserFindManyArgs, 'where'>;

type StaffUserRow = Prisma.UserGetPayload<ReturnType<typeof toStaffUserQuery>>;

export function toStaffUser({
  role,
  invitedAt,
  staffLink,
  _count,
  ...row
}: StaffUserRow): StaffUser {
  const { id, name, email, createdAt, lastActiveAt, disabledAt } = row;
  return {
    id,
    name,
    email,
    createdAt,
    lastActiveAt,
    disabledAt,
    role: role as StaffRole,
    status: toStaffStatus({ disabledAt, invitedAt }),
    linkExpiresAt: staffLink && canMakerInvite(staffLink) ? staffLink.expiresAt : null,
    activeTokenCount: _count.apiTokens,
  };
}

/** Whether a link works as far as its creator is concerned: the command line, or a person who is an owner now. */
const canMakerInvite = ({ createdBy }: NonNullable<StaffUserRow['staffLink']>) =>
  createdBy === null || (createdBy.role === 'owner' && createdBy.disabledAt === null);

function toStaffStatus({
  disabledAt,
  invitedAt,
}: Pick<StaffUserRow, 'disabledAt' | 'invitedAt'>): StaffStatus {
  if (disabledAt) return 'disabled';
  return invitedAt ? 'invited' : 'active';
}
