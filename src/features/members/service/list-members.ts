import { canSeeAll } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import type { Page, PageRequest } from '../../../core/pagination.ts';
import type { Member, MemberStatus } from '../../../db/generated/client.ts';
import { matchText } from '../../../db/text-search.ts';
import { listRows } from '../../../lists/read-list.ts';
import {
  type CreationFilter,
  matchCreation,
  matchEnum,
  type RowList,
} from '../../../lists/row-list.ts';

interface MemberFilter extends CreationFilter {
  /** Part of the name or email address. One or two letters must be the beginning of a word. */
  q?: string | undefined;
  status?: readonly MemberStatus[] | undefined;
  teamId?: string | undefined;
}

/** Members, by default sorted by name. Members see only their own record. */
export const memberList: RowList<Member, MemberFilter, 'NAME' | 'CREATED_AT'> = {
  name: 'members',
  table: 'members',
  sortKeys: {
    NAME: { column: 'name', type: 'text', label: 'name' },
    CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of creation' },
  },
  defaultOrder: 'NAME_ASC',
  where: (row, { q, status, teamId, ...creation }, { viewer, bind }) => {
    const conditions = matchCreation(row, creation, bind);
    if (!canSeeAll(viewer, 'members:read')) {
      conditions.push(
        viewer.kind === 'member' ? `${row}.id = ${bind(viewer.id, 'uuid')}` : 'false',
      );
    }
    if (q) conditions.push(matchText([`${row}.name`, `${row}.email`], q, bind));
    if (status) conditions.push(matchEnum(`${row}.status`, status));
    if (teamId) conditions.push(`${row}.team_id = ${bind(teamId, 'uuid')}`);
    return conditions;
  },
  findByIds: ({ db, viewer }, ids) => {
    const visible = canSeeAll(viewer, 'members:read')
      ? ids
      : ids.filter((id) => viewer.kind === 'member' && viewer.id === id);
    return db.member.findMany({ where: { id: { in: visible } } });
  },
};

/** Lists members by name. @throws BAD_REQUEST for an invalid cursor */
export const listMembers = (
  ctx: Context,
  filter: MemberFilter,
  page: PageRequest,
): Promise<Page<Member>> => listRows(ctx, memberList, filter, page);
