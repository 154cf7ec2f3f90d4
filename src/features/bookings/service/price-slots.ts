import type { Context } from '../../../context.ts';
import type { Booking, Location, Resource } from '../../../db/generated/client.ts';
import {
  findEntitlementsOfMembers,
  NO_ENTITLEMENTS,
  readWithLockedMemberships,
} from '../entitlements.ts';
import { type PricedResource, quoteSlot, toDayAtResource } from '../evaluate-booking.ts';
import { toPriceColumns } from '../insert-booking.ts';

/** The columns of a booking that say what it costs, and what it uses of a plan. */
export type PriceColumns = Pick<Booking, keyof ReturnType<typeof toPriceColumns>>;

/** The times of a booking of a resource. Without a member it is a guest's. */
export type SlotToPrice = Pick<Booking, 'memberId' | 'startsAt' | 'endsAt'>;

/** Prices many bookings of a resource, one after the other. Each counts for those after it. */
export interface SlotPricer {
  /** Returns what `createBooking` would store. @throws VALIDATION, reason PRICE_TOO_HIGH */
  price(slot: SlotToPrice): PriceColumns;
  /** Returns an earlier price, if the plan still includes the minutes that it uses; null otherwise. */
  keep(slot: SlotToPrice, earlier: PriceColumns): PriceColumns | null;
  /** Gives back what a booking uses, before it is priced again. */
  release(booking: Pick<Booking, 'memberId'> & PriceColumns): void;
}

/** Returns the price of a booking from among its other columns. */
export function pickPrice(booking: PriceColumns): PriceColumns {
  const { priceAmount, priceCurrency, membershipId, usageMonth } = booking;
  const { includedMinutes, clockChangeMinutes } = booking;
  return {
    priceAmount,
    priceCurrency,
    membershipId,
    usageMonth,
    includedMinutes,
    clockChangeMinutes,
  };
}

/** The resource that is booked. Its location says on which day a slot is. */
interface BookedResource {
  location: Pick<Location, 'timeZone'>;
}

/** The columns of a resource on which prices depend. */
type PricedColumns = Pick<Resource, 'type' | 'gridMinutes' | 'hourlyAmount' | 'currency'>;

/**
 * Locks the memberships on whose included hours the prices of these slots depend, until the transaction ends. What prices slots in
 * several steps locks all memberships before the first: two transactions that lock them in different orders would deadlock. Then it
 * reads the resource, once for all steps: its price can change while this waits.
 */
export async function lockMembershipsOfSlots(
  ctx: Context,
  resource: BookedResource,
  slots: SlotToPrice[],
): Promise<void> {
  await readLockedEntitlements(ctx, resource, slots);
}

const readLockedEntitlements = (ctx: Context, resource: BookedResource, slots: SlotToPrice[]) =>
  readWithLockedMemberships(
    ctx,
    () => readEntitlements(ctx, resource, slots),
    (found) => [...new Set([...found.values()].flatMap((one) => one.membershipIds))].sort(),
  );

const readEntitlements = (ctx: Context, { location }: BookedResource, slots: SlotToPrice[]) =>
  findEntitlementsOfMembers(
    ctx,
    slots.flatMap(({ memberId, startsAt }) =>
      memberId === null
        ? []
        : [{ memberId, day: toDayAtResource({ calendar: location }, +startsAt) }],
    ),
  );

/**
 * Reads what the plans of the members include on the days of the slots. The memberships stay locked until the transaction ends, unless
 * it is a dry run: those who book meanwhile would wait for it, and it stores no price.
 *
 * @param resource as it was read after `lockMembershipsOfSlots`
 */
export async function openSlotPricer(
  ctx: Context,
  resource: BookedResource & PricedColumns,
  slots: SlotToPrice[],
  { dryRun = false } = {},
): Promise<SlotPricer> {
  const read = dryRun ? readEntitlements : readLockedEntitlements;
  const byMember = await read(ctx, resource, slots);
  const { type, gridMinutes, hourlyAmount: amount, currency, location } = resource;
  const priced: PricedResource = {
    resource: { type, gridMinutes, pricePerHour: { amount, currency } },
    calendar: { timeZone: location.timeZone },
  };
  const getEntitlements = (memberId: string | null) =>
    (memberId === null ? undefined : byMember.get(memberId)) ?? NO_ENTITLEMENTS;
  return {
    price: ({ memberId, startsAt, endsAt }) => {
      const entitlements = getEntitlements(memberId);
      const slot = { start: +startsAt, end: +endsAt };
      const quoted = quoteSlot(priced, entitlements, slot);
      const { minutes, entitlement, quote } = quoted;
      entitlements.consume(entitlement, type, minutes, quote.includedMinutes);
      return toPriceColumns(quoted, slot);
    },
    keep: ({ memberId, startsAt }, earlier) => {
      // One without a membership uses nothing, and one whose membership ended or was deleted needs another price.
      if (earlier.membershipId === null) return earlier;
      const entitlements = getEntitlements(memberId);
      const entitlement = entitlements.get(toDayAtResource(priced, +startsAt), type);
      if (
        entitlement.membershipId !== earlier.membershipId ||
        entitlement.includedMinutesLeft < earlier.includedMinutes
      )
        return null;
      entitlements.consume(entitlement, type, 0, earlier.includedMinutes);
      return earlier;
    },
    release: ({ memberId, membershipId, usageMonth, includedMinutes }) => {
      if (usageMonth === null) return;
      const month = usageMonth.toISOString().slice(0, 10);
      getEntitlements(memberId).consume({ membershipId, month }, type, 0, -includedMinutes);
    },
  };
}
