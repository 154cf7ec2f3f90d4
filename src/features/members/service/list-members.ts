import { canSeeAll } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import type { Page, PageRequest } from '../../../core/pagination.ts';
import { getUtcDate } from '../../../core/time/calendar-date.ts';
import type { Member, MemberStatus } from '../../../db/generated/client.ts';
import type { Bind } from '../../../db/prepared-statement.ts';
import { matchPhone, matchText } from '../../../db/text-search.ts';
import { listRows } from '../../../lists/read-list.ts';
import {
  type CreationFilter,
  matchCreation,
  matchEnum,
  type RowList,
} from '../../../lists/row-list.ts';

interface MemberFilter extends CreationFilter {
  /** Part of the name, email address, company, phone or team. One or two letters must be the beginning of a word. */
  q?: string | undefined;
  status?: readonly MemberStatus[] | undefined;
  /** Only members with this plan today. */
  planId?: string | undefined;
  /** Only members without any plan today. */
  withoutPlan?: boolean | undefined;
  /** Only people who were erased, or only the others. */
  erased?: boolean | undefined;
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
  where: (row, filter, { viewer, bind, now }) => {
    const { q, status, planId, withoutPlan, erased, teamId, ...creation } = filter;
    const conditions = matchCreation(row, creation, bind);
    if (!canSeeAll(viewer, 'members:read')) {
      conditions.push(
        viewer.kind === 'member' ? `${row}.id = ${bind(viewer.id, 'uuid')}` : 'false',
      );
    }
    if (q) conditions.push(matchMember(row, q, bind));
    if (status) conditions.push(matchEnum(`${row}.status`, status));
    const today = () => bind(getUtcDate(now()), 'date');
    if (planId) conditions.push(matchPlan(row, bind(planId, 'uuid'), today()));
    if (withoutPlan) conditions.push(...matchNoPlan(row, today()));
    if (erased !== undefined) conditions.push(`${row}.email ${erased ? '' : 'NOT '}LIKE ${ERASED}`);
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

/** The ids of matching teams are found first, so that indexes find the members of each. */
const matchMember = (row: string, q: string, bind: Bind) => {
  const columns = ['name', 'email', 'company'].map((column) => `${row}.${column}`);
  const phone = matchPhone(`${row}.phone`, q, bind);
  const teams = `SELECT team.id FROM teams team WHERE ${matchText(['team.name'], q, bind)}`;
  return `(${matchText(columns, q, bind)}${phone ? ` OR ${phone}` : ''} OR ${row}.team_id = ANY (ARRAY(${teams})))`;
};

/** The address of erased people, from `toDeletedAddress`. An index has the same condition. */
const ERASED = `'deleted-%@deleted.invalid'`;

const isActiveOn = (today: string) =>
  `held.starts_on <= ${today} AND (held.ends_on IS NULL OR held.ends_on >= ${today})`;

const matchPlan = (row: string, plan: string, today: string) => `${row}.id IN (
  SELECT held.member_id FROM memberships held
  WHERE held.plan_id = ${plan} AND held.member_id IS NOT NULL AND ${isActiveOn(today)}
  UNION ALL
  SELECT mate.id FROM memberships held JOIN members mate ON mate.team_id = held.team_id
  WHERE held.plan_id = ${plan} AND ${isActiveOn(today)})`;

const matchNoPlan = (row: string, today: string) =>
  [`member_id = ${row}.id`, `team_id = ${row}.team_id`].map(
    (holder) =>
      `NOT EXISTS (SELECT FROM memberships held WHERE held.${holder} AND ${isActiveOn(today)})`,
  );

/** Lists members by name. @throws BAD_REQUEST for an invalid cursor */
export const listMembers = (
  ctx: Context,
  filter: MemberFilter,
  page: PageRequest,
): Promise<Page<Member>> => listRows(ctx, memberList, filter, page);
