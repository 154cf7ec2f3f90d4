import { type Context, runInTransaction } from '../../context.ts';
import { isUuid } from '../../core/ids.ts';
import type { InputOf } from '../../core/validation.ts';
import {
  isForeignKeyViolation,
  rejectCustomerNumber,
  rejectDuplicate,
} from '../../db/constraint-errors.ts';
import type { Team } from '../../db/generated/client.ts';
import { matchText } from '../../db/text-search.ts';
import { DomainError, notFound } from '../../errors.ts';
import { recordCreated, recordDeleted, recordUpdated } from '../../journal/record-changes.ts';
import { type CreationFilter, matchCreation, type RowList } from '../../lists/row-list.ts';
import type { createTeamInput, updateTeamInput } from './inputs.ts';

/** A group of members who can share a membership. */

interface TeamFilter extends CreationFilter {
  /** Part of the name. */
  q?: string | undefined;
}

/** Teams, by default sorted by name. */
export const teamList: RowList<Team, TeamFilter, 'NAME' | 'CREATED_AT'> = {
  name: 'teams',
  table: 'teams',
  sortKeys: {
    NAME: { column: 'name', type: 'text', label: 'name' },
    CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of creation' },
  },
  defaultOrder: 'NAME_ASC',
  where: (row, { q, ...creation }, { bind }) => [
    ...(q ? [matchText([`${row}.name`], q, bind)] : []),
    ...matchCreation(row, creation, bind),
  ],
  findByIds: ({ db }, ids) => db.team.findMany({ where: { id: { in: ids } } }),
};

/** Gets a team. @throws NOT_FOUND */
export async function getTeam({ db }: Context, id: string): Promise<Team> {
  const team = isUuid(id) ? await db.team.findUnique({ where: { id } }) : null;
  if (team === null) throw notFound('team');
  return team;
}

/**
 * Creates a team.
 *
 * @throws CONFLICT if the name or the customer number is in use
 *
 * @example
 * const team = await createTeam(ctx, { name: 'Example Ltd' });
 */
export const createTeam = (ctx: Context, input: InputOf<typeof createTeamInput>): Promise<Team> =>
  runInTransaction(ctx, async (ctx) => {
    const team = await rejectDuplicate(`The name ${input.name}`, 'name', () =>
      rejectCustomerNumber(input.customerNumber, () => ctx.db.team.create({ data: input })),
    );
    await recordCreated(ctx, 'team.created', [team.id]);
    return team;
  });

/** Changes a team. @throws NOT_FOUND, CONFLICT if the name or the customer number is in use */
export async function updateTeam(
  ctx: Context,
  id: string,
  changes: Omit<InputOf<typeof updateTeamInput>, 'id'>,
): Promise<Team> {
  await getTeam(ctx, id);
  return runInTransaction(ctx, (ctx) =>
    recordUpdated(ctx, 'team.updated', [id], () =>
      rejectDuplicate(`The name ${changes.name}`, 'name', () =>
        rejectCustomerNumber(changes.customerNumber, () =>
          ctx.db.team.update({ where: { id }, data: changes }),
        ),
      ),
    ),
  );
}

/**
 * Deletes a team and returns it. Its members stay, without a team.
 *
 * @throws NOT_FOUND; CONFLICT, reason TEAM_HAS_MEMBERSHIP, if it has or had a membership
 */
export async function deleteTeam(ctx: Context, id: string): Promise<Team> {
  const team = await getTeam(ctx, id);
  try {
    await runInTransaction(ctx, async (ctx) => {
      const { db } = ctx;
      // This locks the team before its members, as every transaction does, so that nobody joins it in the meantime.
      await recordDeleted(ctx, 'team.deleted', [id]);
      const members = await db.member.findMany({ where: { teamId: id }, select: { id: true } });
      const memberIds = members.map((member) => member.id);
      await recordUpdated(ctx, 'member.updated', memberIds, () =>
        db.team.deleteMany({ where: { id } }),
      );
    });
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
 * Locks a team until the transaction ends, so that it cannot be deleted.
 *
 * @throws NOT_FOUND
 */
export async function lockTeam({ db }: Context, id: string): Promise<void> {
  const rows = isUuid(id)
    ? await db.$queryRaw<object[]>`SELECT 1 FROM teams WHERE id = ${id}::uuid FOR KEY SHARE`
    : [];
  if (rows.length === 0) throw notFound('team');
}
