import DataLoader from 'dataloader';
import type { Ctx } from '../context.ts';
import { statusChangesOf } from '../features/displays/service.ts';
import { membersById, membersOfTeams } from '../features/members/service.ts';
import { refundsOfOrders } from '../features/payments/refunds/service.ts';
import { currentMemberships, membershipsOf } from '../features/plans/memberships/service.ts';
import {
  bookingsWithin,
  type Closure,
  closuresOf,
  locationsById,
  openingHoursOf,
  resourcesById,
} from '../features/spaces/service.ts';
import { teamsById } from '../features/teams/service.ts';
import { attemptsOf } from '../features/webhooks/deliveries.ts';

/** What hangs below a list is read in one statement for the whole list, by the service of its noun. */
export const loadersFor = (ctx: Ctx) => ({
  location: byId((ids) => locationsById(ctx, ids)),
  resource: byId((ids) => resourcesById(ctx, ids)),
  member: byId((ids) => membersById(ctx, ids)),
  team: byId((ids) => teamsById(ctx, ids)),
  membersOfTeam: below((ids) => membersOfTeams(ctx, ids)),
  membershipsOfMember: below((ids) => membershipsOf(ctx, 'memberId', ids)),
  membershipsOfTeam: below((ids) => membershipsOf(ctx, 'teamId', ids)),
  currentMembership: belowBy((ids, on: string) => currentMemberships(ctx, ids, on)),
  attemptsOfDelivery: below((ids) => attemptsOf(ctx, ids)),
  refundsOfOrder: below((ids) => refundsOfOrders(ctx, ids)),
  openingHours: below((ids) => openingHoursOf(ctx, ids)),
  closures: belowBy((ids, from: string | null) => closuresOf(ctx, ids, from)),
  statusChanges: belowBy((ids, last: number) => statusChangesOf(ctx, ids, last)),
  bookingsWithin: new DataLoader<Closure, number>(async (closures) => {
    const counts = await bookingsWithin(ctx, closures);
    return closures.map(({ id }) => counts.get(id) ?? 0);
  }),
});

export type Loaders = ReturnType<typeof loadersFor>;

function byId<Row extends { id: string }>(read: (ids: string[]) => Promise<Row[]>) {
  return new DataLoader<string, Row>(async (ids) => {
    const rows = new Map((await read([...ids])).map((row) => [row.id, row]));
    return ids.map((id) => rows.get(id) ?? new Error(`no row for ${id}`));
  });
}

/** What hangs below one row. */
function below<Found>(read: (ids: string[]) => Promise<Map<string, Found>>) {
  return new DataLoader<string, Found>(async (ids) => {
    const found = await read([...ids]);
    return ids.map((id) =>
      found.has(id) ? (found.get(id) as Found) : new Error(`nothing was read for ${id}`),
    );
  });
}

/** What hangs below one row by an argument: a list asks for all its rows with the same one, hence in one statement. */
function belowBy<Arg extends string | number | null, Found>(
  read: (ids: string[], arg: Arg) => Promise<Map<string, Found>>,
) {
  const loaders = new Map<Arg, DataLoader<string, Found>>();
  return {
    load: (id: string, arg: Arg): Promise<Found> => {
      const loader = loaders.get(arg) ?? below((ids) => read(ids, arg));
      loaders.set(arg, loader);
      return loader.load(id);
    },
  };
}
