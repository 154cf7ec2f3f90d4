import type { Context } from '../../../context.ts';
import type { MemberStatus } from '../../../db/generated/client.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { DomainError } from '../../../errors.ts';
import { recordDeleted } from '../../../journal/record-changes.ts';
import { deleteMembers, updateMember } from '../../members/service/members.ts';
import type { UndoNote, UndoReport } from '../types.ts';
import { formatKept, listFieldChanges, splitFields } from './changed-fields.ts';
import { toNotes } from './imports.ts';
import { tryToChangeLine } from './rejections.ts';

const byImport = (subject: string) => `
  SELECT c.subject_id FROM import_changes c
  WHERE c.import_id = $1::uuid AND c.subject_type = '${subject}' AND c.before IS NULL`;

// In this order, as every transaction does. Whoever books for one of the members waits, and then finds that it is gone.
const LOCK_TEAMS = prepareStatement(
  `SELECT id FROM teams WHERE id IN (${byImport('team')}) ORDER BY id FOR UPDATE`,
);
const LOCK_MEMBERS = prepareStatement(
  `SELECT id FROM members WHERE id IN (${byImport('member')}) ORDER BY id FOR UPDATE`,
);
// Those of members who were erased since stay, for accounting.
const LOCK_MEMBERSHIPS = prepareStatement(
  `SELECT id FROM memberships WHERE id IN (${byImport('membership')}) AND member_id IN (${byImport('member')}) ORDER BY id FOR UPDATE`,
);

/** What can depend on a member, by the tables that refer to members. Their other references are deleted with the member. */
export const DEPENDENTS: Record<string, { condition: string; reason: string }> = {
  bookings: { condition: 'd.member_id = m.id', reason: 'The member has a booking.' },
  orders: { condition: 'd.member_id = m.id', reason: 'The member has an order.' },
  waitlist_entries: {
    condition: 'd.member_id = m.id',
    reason: 'The member is on a waiting list.',
  },
  check_ins: {
    condition: '(d.member_id = m.id OR d.host_id = m.id)',
    reason: 'The member was here, or had a visitor.',
  },
  calendar_feeds: { condition: 'd.member_id = m.id', reason: 'The member has a calendar feed.' },
  users: { condition: 'd.member_id = m.id', reason: 'The member has signed in.' },
  memberships: {
    condition: `d.member_id = m.id AND d.id NOT IN (${byImport('membership')})`,
    reason: 'The member got another membership.',
  },
};

const toDependentsSql = ([table, { condition, reason }]: [string, (typeof DEPENDENTS)[string]]) => `
  SELECT coalesce((SELECT min(r.line) FROM import_rows r WHERE r.import_id = $1::uuid AND r.subject_id = m.id), 1) AS line,
    '${reason}' AS reason
  FROM members m WHERE m.id IN (${byImport('member')}) AND EXISTS (SELECT FROM ${table} d WHERE ${condition})`;

const FIND_DEPENDENTS = prepareStatement(
  `${Object.entries(DEPENDENTS).map(toDependentsSql).join(' UNION ALL')} ORDER BY 1, 2`,
);

const FIND_TEAMS_IN_USE = prepareStatement(`
  SELECT 1 AS line, 'The team "' || t.name || '" has ' ||
    CASE WHEN EXISTS (SELECT FROM members m WHERE m.team_id = t.id) THEN 'other members.' ELSE 'a membership.' END AS reason
  FROM teams t WHERE t.id = ANY ($1::uuid[]) AND (EXISTS (SELECT FROM members m WHERE m.team_id = t.id)
    OR EXISTS (SELECT FROM memberships s WHERE s.team_id = t.id)) ORDER BY t.name`);

// Statements with lists of ids are written in SQL: Prisma sends several for a long list, and those after the time limit of the
// transaction would run without it.

/** Removes the members, memberships and teams that an import added, and gives back the fields that it changed. */
export async function undoMembers(ctx: Context, importId: string): Promise<UndoReport> {
  const findIds = async (statement: typeof LOCK_TEAMS) =>
    (await ctx.lockingSql<{ id: string }>(statement, [importId])).map(({ id }) => id);
  const teams = await findIds(LOCK_TEAMS);
  const members = await findIds(LOCK_MEMBERS);
  const memberships = await findIds(LOCK_MEMBERSHIPS);
  const { restored, notes } = await restoreMembers(ctx, importId);
  const problems = await ctx.lockingSql<UndoNote>(FIND_DEPENDENTS, [importId]);
  const report = { removed: members.length, restored, notes, problems };
  if (problems.length > 0) return report;
  await recordDeleted(ctx, 'membership.deleted', memberships);
  await ctx.db.$executeRaw`DELETE FROM memberships WHERE id = ANY (${memberships}::uuid[])`;
  await deleteMembers(ctx, members);
  const teamsInUse = await ctx.lockingSql<UndoNote>(FIND_TEAMS_IN_USE, [teams]);
  if (teamsInUse.length > 0) return { ...report, problems: teamsInUse };
  await recordDeleted(ctx, 'team.deleted', teams);
  await ctx.db.$executeRaw`DELETE FROM teams WHERE id = ANY (${teams}::uuid[])`;
  return report;
}

/** Gives members back the fields that are still as the import left them. Members that were erased since have none. */
async function restoreMembers(ctx: Context, importId: string) {
  const changes = await listFieldChanges(ctx, importId, 'member');
  const kept = new Map<string, string>();
  let restored = 0;
  for (const { subjectId: id, ...change } of changes) {
    await ctx.db.$queryRaw`SELECT 1 FROM members WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
    const member = await ctx.db.member.findUnique({ where: { id } });
    if (member === null) continue;
    const { same, kept: changed } = splitFields(member, change);
    const reasons: string[] = [];
    const team = change.before.teamId ?? null;
    const isTeamGone =
      same.includes('teamId') &&
      typeof team === 'string' &&
      (await ctx.db.team.count({ where: { id: team } })) === 0;
    const fields = same.filter((field) => field !== 'teamId' || !isTeamGone);
    if (fields.length > 0) {
      const values = Object.fromEntries(
        fields.map((field) => [field, change.before[field] ?? null]),
      );
      const result = await tryToChangeLine(ctx, () =>
        updateMember(ctx, id, values as { name?: string; status?: MemberStatus }),
      );
      if (result instanceof DomainError) reasons.push(`It stays as it is. ${result.message}`);
      else restored += 1;
    }
    const all = isTeamGone ? [...changed, 'teamId'] : changed;
    if (all.length > 0) reasons.push(formatKept(all));
    if (reasons.length > 0) kept.set(id, reasons.join(' '));
  }
  return { restored, notes: await toNotes(ctx, importId, kept) };
}
