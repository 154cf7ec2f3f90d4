import DataLoader from 'dataloader';
import type { Context } from '../context.ts';
import { findStatusChanges } from '../features/displays/service.ts';
import { findMembersByIds, findMembersByTeam } from '../features/members/service.ts';
import { findRefundsByOrders } from '../features/payments/service.ts';
import { findCurrentMemberships, findMembershipsByHolder } from '../features/plans/service.ts';
import {
  type Closure,
  countBookingsInClosures,
  findClosuresByLocation,
  findLocationsByIds,
  findOpeningHoursByLocation,
  findResourcesByIds,
} from '../features/spaces/service.ts';
import { findTeamsByIds } from '../features/teams/service.ts';
import { findDeliveryAttempts } from '../features/webhooks/service.ts';

/** What hangs below a list is read in one statement for the whole list, by the service of its noun. */
export const createLoaders = (ctx: Context) => ({
  location: byId((ids) => findLocationsByIds(ctx, ids)),
  resource: byId((ids) => findResourcesByIds(ctx, ids)),
  member: byId((ids) => findMembersByIds(ctx, ids)),
  team: byId((ids) => findTeamsByIds(ctx, ids)),
  membersByTeam: byParent((ids) => findMembersByTeam(ctx, ids)),
  membershipsByMember: byParent((ids) => findMembershipsByHolder(ctx, 'memberId', ids)),
  membershipsByTeam: byParent((ids) => findMembershipsByHolder(ctx, 'teamId', ids)),
  currentMembership: byParentAndArgument((ids, on: string) => findCurrentMemberships(ctx, ids, on)),
  attemptsByDelivery: byParent((ids) => findDeliveryAttempts(ctx, ids)),
  refundsByOrder: byParent((ids) => findRefundsByOrders(ctx, ids)),
  openingHours: byParent((ids) => findOpeningHoursByLocation(ctx, ids)),
  closures: byParentAndArgument((ids, from: string | null) =>
    findClosuresByLocation(ctx, ids, from),
  ),
  statusChanges: byParentAndArgument((ids, last: number) => findStatusChanges(ctx, ids, last)),
  bookingCountByClosure: new DataLoader<Closure, number>(async (closures) => {
    const counts = await countBookingsInClosures(ctx, closures);
    return closures.map(({ id }) => counts.get(id) ?? 0);
  }),
});

export type Loaders = ReturnType<typeof createLoaders>;

function byId<Row extends { id: string }>(read: (ids: string[]) => Promise<Row[]>) {
  return new DataLoader<string, Row>(async (ids) => {
    const rows = new Map((await read([...ids])).map((row) => [row.id, row]));
    return ids.map((id) => rows.get(id) ?? new Error(`no row for ${id}`));
  });
}

/** What hangs below one row. */
function byParent<Found>(read: (ids: string[]) => Promise<Map<string, Found>>) {
  return new DataLoader<string, Found>(async (ids) => {
    const found = await read([...ids]);
    return ids.map((id) =>
      found.has(id) ? (found.get(id) as Found) : new Error(`nothing was read for ${id}`),
    );
  });
}

/** What hangs below one row by an argument: a list asks for all its rows with the same one, hence in one statement. */
function byParentAndArgument<Arg extends string | number | null, Found>(
  read: (ids: string[], arg: Arg) => Promise<Map<string, Found>>,
) {
  const loaders = new Map<Arg, DataLoader<string, Found>>();
  return {
    load: (id: string, arg: Arg): Promise<Found> => {
      const loader = loaders.get(arg) ?? byParent((ids) => read(ids, arg));
      loaders.set(arg, loader);
      return loader.load(id);
    },
  };
}
