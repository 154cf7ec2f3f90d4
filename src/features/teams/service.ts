import type { Ctx } from '../../context.ts';
import type { Team } from '../../db/generated/client.ts';
import { isInUse, refuseTaken } from '../../db/refusals.ts';
import { DomainError, notFound } from '../../errors.ts';
import { afterName, byName, type Page, type PageRequest, pageByName } from '../../page.ts';
import { isUuid } from '../../values.ts';

/** Members who share a membership. */
export type { Team };

/** By name. */
export async function list({ db }: Ctx, page: PageRequest): Promise<Page<Team>> {
  const rows = await db.team.findMany({
    where: afterName(page),
    orderBy: byName,
    take: page.limit + 1,
  });
  return pageByName(rows, page.limit);
}

/** Throws NOT_FOUND. */
export async function get({ db }: Ctx, id: string): Promise<Team> {
  const team = isUuid(id) ? await db.team.findUnique({ where: { id } }) : null;
  if (team === null) throw notFound('team');
  return team;
}

export const teamsById = ({ db }: Ctx, ids: string[]): Promise<Team[]> =>
  db.team.findMany({ where: { id: { in: ids } } });

/** Throws CONFLICT when there is a team of that name. */
export const create = ({ db }: Ctx, { name }: { name: string }): Promise<Team> =>
  refuseTaken(`The name ${name}`, () => db.team.create({ data: { name } }));

/** Throws NOT_FOUND, CONFLICT when there is a team of that name. */
export async function update(
  ctx: Ctx,
  id: string,
  changes: { name?: string | undefined },
): Promise<Team> {
  await get(ctx, id);
  return refuseTaken(`The name ${changes.name}`, () =>
    ctx.db.team.update({ where: { id }, data: changes }),
  );
}

/** Its members stay, without a team. Throws NOT_FOUND, CONFLICT while it has a membership, even one that has ended. */
export async function remove(ctx: Ctx, id: string): Promise<Team> {
  const team = await get(ctx, id);
  try {
    await ctx.db.team.deleteMany({ where: { id } });
  } catch (error) {
    if (!isInUse(error)) throw error;
    throw new DomainError(
      'CONFLICT',
      'This team has a membership, perhaps an ended one, that bookings were made by. Take its members out of it instead.',
      { reason: 'TEAM_HAS_MEMBERSHIP' },
    );
  }
  return team;
}

/** Until the transaction is over the team is not deleted. Throws NOT_FOUND. */
export async function keepTeam({ db }: Ctx, id: string): Promise<void> {
  const rows = isUuid(id)
    ? await db.$queryRaw<object[]>`SELECT 1 FROM teams WHERE id = ${id}::uuid FOR KEY SHARE`
    : [];
  if (rows.length === 0) throw notFound('team');
}
