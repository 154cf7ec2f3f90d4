import DataLoader from 'dataloader';
import { findSessionsByUsers } from '../auth/sessions.ts';
import type { Context } from '../context.ts';
import { findBookingActions } from '../features/bookings/service/allowed-actions.ts';
import {
  type Availability,
  type AvailabilityRequest,
  createAvailabilityReader,
} from '../features/bookings/service/availability.ts';
import { findBookingNamesOfChanges } from '../features/changes/service/past-bookings.ts';
import { type ChangeReference, findReferences } from '../features/changes/service/references.ts';
import { findOccupancyByLocation } from '../features/check-ins/service/occupancy.ts';
import {
  findDayPassStock,
  findDayPassTypesByLocation,
} from '../features/day-passes/service/day-pass-types.ts';
import { findStatusChanges } from '../features/displays/service/status-changes.ts';
import { findEmailChanges } from '../features/members/service/email-change.ts';
import { findRefundsByOrders } from '../features/payments/service/payments.ts';
import { findCurrentMemberships } from '../features/plans/service/find-memberships.ts';
import { countMembersByPlan } from '../features/plans/service/plans.ts';
import {
  type Closure,
  countBookingsInClosures,
  findClosuresByLocation,
  findOpeningHoursByLocation,
} from '../features/spaces/service/opening-hours.ts';
import { findDeliveryAttempts } from '../features/webhooks/service/deliveries.ts';

/**
 * Creates loaders that read the related rows of a whole list in one statement. Each is created when a field first uses it,
 * since most requests use none or one of them.
 */
export const createLoaders = (ctx: Context): Loaders => new LazyLoaders(ctx) as unknown as Loaders;

export type Loaders = {
  readonly [Name in keyof typeof loaderFactories]: ReturnType<(typeof loaderFactories)[Name]>;
};

const loaderFactories = {
  emailChangeByMember: (ctx: Context) => byParent((ids) => findEmailChanges(ctx, ids)),
  currentMembership: (ctx: Context) =>
    byParentAndArgument((ids, on: string) => findCurrentMemberships(ctx, ids, on)),
  memberCountByPlan: (ctx: Context) => byParent((ids) => countMembersByPlan(ctx, ids)),
  bookingActions: (ctx: Context) => byParent((ids) => findBookingActions(ctx, ids)),
  attemptsByDelivery: (ctx: Context) => byParent((ids) => findDeliveryAttempts(ctx, ids)),
  sessionsByUser: (ctx: Context) => byParent((ids) => findSessionsByUsers(ctx, ids)),
  refundsByOrder: (ctx: Context) => byParent((ids) => findRefundsByOrders(ctx, ids)),
  openingHours: (ctx: Context) => byParent((ids) => findOpeningHoursByLocation(ctx, ids)),
  closures: (ctx: Context) =>
    byParentAndArgument((ids, from: string | null) => findClosuresByLocation(ctx, ids, from)),
  occupancy: (ctx: Context) => byParent((ids) => findOccupancyByLocation(ctx, ids)),
  availability: (ctx: Context) =>
    new DataLoader<AvailabilityRequest, Availability | null, string>(
      createAvailabilityReader(ctx),
      { cacheKeyFn: (request) => JSON.stringify(request) },
    ),
  dayPassTypesByLocation: (ctx: Context) =>
    byParentAndArgument((ids, includeInactive: boolean) =>
      findDayPassTypesByLocation(ctx, ids, includeInactive),
    ),
  dayPassStock: (ctx: Context) =>
    byParentAndArgument((ids, date: string | null) => findDayPassStock(ctx, ids, date)),
  statusChanges: (ctx: Context) =>
    byParentAndArgument((ids, last: number) => findStatusChanges(ctx, ids, last)),
  changeReference: (ctx: Context) =>
    new DataLoader<string, ChangeReference | null>(async (ids) => {
      const references = await findReferences(ctx, ids);
      return ids.map((id) => references.get(id) ?? null);
    }),
  bookingNameOfChange: (ctx: Context) =>
    new DataLoader<string, string | null>(async (ids) => {
      const names = await findBookingNamesOfChanges(ctx, ids);
      return ids.map((id) => names.get(id) ?? null);
    }),
  bookingCountByClosure: (ctx: Context) =>
    new DataLoader<Closure, number>(async (closures) => {
      const counts = await countBookingsInClosures(ctx, closures);
      return closures.map(({ id }) => counts.get(id) ?? 0);
    }),
};

/** Has a getter for each loader. */
class LazyLoaders {
  readonly ctx: Context;

  constructor(ctx: Context) {
    this.ctx = ctx;
  }
}

for (const [name, create] of Object.entries(loaderFactories)) {
  Object.defineProperty(LazyLoaders.prototype, name, {
    get(this: LazyLoaders) {
      const value = create(this.ctx);
      Object.defineProperty(this, name, { value });
      return value;
    },
  });
}

/** Loads values by the id of their parent row. */
function byParent<Value>(read: (ids: string[]) => Promise<Map<string, Value>>) {
  return new DataLoader<string, Value>(async (ids) => {
    const values = await read([...ids]);
    return ids.map((id) =>
      values.has(id) ? (values.get(id) as Value) : new Error(`no value for ${id}`),
    );
  });
}

/**
 * Loads values by the id of their parent row and a field argument. Rows of one list share the argument, and the
 * statement.
 */
function byParentAndArgument<Arg extends string | number | boolean | null, Value>(
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
