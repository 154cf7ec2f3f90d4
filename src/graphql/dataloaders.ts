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

/** Creates loaders that read the related rows of a whole list in one statement. */
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

/** Loads what belongs to a parent row. */
function byParent<Value>(read: (ids: string[]) => Promise<Map<string, Value>>) {
  return new DataLoader<string, Value>(async (ids) => {
    const values = await read([...ids]);
    return ids.map((id) =>
      values.has(id) ? (values.get(id) as Value) : new Error(`no value for ${id}`),
    );
  });
}

/** Loads what belongs to a parent row for a field argument. All rows of a list share the argument, so it is one statement. */
function byParentAndArgument<Arg extends string | number | null, Value>(
  read: (ids: string[], arg: Arg) => Promise<Map<string, Value>>,
) {
  const loaders = new Map<Arg, DataLoader<string, Value>>();
  return {
    load: (id: string, arg: Arg): Promise<Value> => {
      const loader = loaders.get(arg) ?? byParent((ids) => read(ids, arg));
      loaders.set(arg, loader);
      return loader.load(id);
    },
  };
}
