import type { Context } from '../../context.ts';
import { isUuid } from '../../core/ids.ts';
import {
  orderByName,
  type Page,
  type PageRequest,
  toPageByName,
  whereAfterName,
} from '../../core/pagination.ts';
import { isForeignKeyViolation, rejectDuplicate } from '../../db/constraint-errors.ts';
import type { Team } from '../../db/generated/client.ts';
import { DomainError, notFound } from '../../errors.ts';

/** Members who can share a membership. */
export type { Team };

/** Lists teams by name. */
export async function listTeams({ db }: Context, page: PageRequest): Promise<Page<Team>> {
  const rows = await db.team.findMany({
    where: whereAfterName(page),
    orderBy: orderByName,
    take: page.limit + 1,
  });
  return toPageByName(rows, page.limit);
}

/** @throws NOT_FOUND */
export async function getTeam({ db }: Context, id: string): Promise<Team> {
  const team = isUuid(id) ? await db.team.findUnique({ where: { id } }) : null;
  if (team === null) throw notFound('team');
  return team;
}

/** Finds those of these teams that exist, in any order. */
export const findTeamsByIds = ({ db }: Context, ids: string[]): Promise<Team[]> =>
  db.team.findMany({ where: { id: { in: ids } } });

/** @throws CONFLICT when the name is taken */
export const createTeam = ({ db }: Context, { name }: { name: string }): Promise<Team> =>
  rejectDuplicate(`The name ${name}`, () => db.team.create({ data: { name } }));

/** @throws NOT_FOUND, CONFLICT when the name is taken */
export async function updateTeam(
  ctx: Context,
  id: string,
  changes: { name?: string | undefined },
): Promise<Team> {
  await getTeam(ctx, id);
  return rejectDuplicate(`The name ${changes.name}`, () =>
    ctx.db.team.update({ where: { id }, data: changes }),
  );
}

/**
 * Deletes a team and returns it. Its members stay, without a team.
 *
 * @throws NOT_FOUND; CONFLICT, reason TEAM_HAS_MEMBERSHIP, when it has a membership, even one that has ended
 */
export async function deleteTeam(ctx: Context, id: string): Promise<Team> {
  const team = await getTeam(ctx, id);
  try {
    await ctx.db.team.deleteMany({ where: { id } });
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
    throw new DomainError(
      'CONFLICT',
      'This team has a current or past membership. Remove its members from the team instead.',
      { reason: 'TEAM_HAS_MEMBERSHIP' },
    );
  }
  return team;
}

/**
 * Locks a team until the transaction ends, so that nobody deletes it.
 *
 * @throws NOT_FOUND
 */
export async function lockTeam({ db }: Context, id: string): Promise<void> {
  const rows = isUuid(id)
    ? await db.$queryRaw<object[]>`SELECT 1 FROM teams WHERE id = ${id}::uuid FOR KEY SHARE`
    : [];
  if (rows.length === 0) throw notFound('team');
}
