import { Temporal } from 'temporal-polyfill';
import type { Context } from '../../../context.ts';
import type { Money } from '../../../core/money.ts';
import { type CalendarDate, toInstantBounds } from '../../../core/time/calendar-date.ts';
import type { PaymentMethod } from '../../../db/generated/enums.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { DomainError } from '../../../errors.ts';
import { getLocation } from '../../spaces/service/locations.ts';

const MAX_DAYS = 366;

/** What was sold. */
type SoldKind = 'tickets' | 'day_passes' | 'bookings';

/** The payments and refunds of some days, added up. */
export interface TakingsSum {
  taken: Money;
  paidBack: Money;
  /** Negative if more was paid back than taken. */
  net: Money;
  paymentCount: number;
  refundCount: number;
}

/** The takings in one currency. */
export interface Takings {
  total: TakingsSum;
  byMethod: (TakingsSum & { method: PaymentMethod })[];
  bySold: (TakingsSum & { sold: SoldKind })[];
}

const SOLD_SQL = `CASE WHEN p.booking_id IS NOT NULL THEN 'bookings'
  WHEN o.event_id IS NOT NULL THEN 'tickets' ELSE 'day_passes' END`;

// A refund counts on the day on which the money was returned, and a payment on the day of its receipt.
const SUM_TAKINGS = prepareStatement(`
  SELECT p.currency, p.method::text, ${SOLD_SQL} AS sold, sum(p.amount)::float8 AS taken, 0::float8 AS "paidBack",
    count(*)::int AS payments, 0 AS refunds
  FROM payments p LEFT JOIN orders o ON o.id = p.order_id
  WHERE p.location_id = $1::uuid AND p.created_at >= $2::timestamptz AND p.created_at < $3::timestamptz
    AND p.voided_at IS NULL
  GROUP BY 1, 2, 3
  UNION ALL
  SELECT p.currency, r.method::text, ${SOLD_SQL}, 0, sum(r.amount)::float8, 0, count(*)::int
  FROM refunds r JOIN payments p ON p.id = r.payment_id LEFT JOIN orders o ON o.id = p.order_id
  WHERE r.location_id = $1::uuid AND r.completed_at >= $2::timestamptz AND r.completed_at < $3::timestamptz
    AND r.status = 'succeeded'
  GROUP BY 1, 2, 3`);

interface Group {
  currency: string;
  method: PaymentMethod;
  sold: SoldKind;
  taken: number;
  paidBack: number;
  payments: number;
  refunds: number;
}

/**
 * Adds up what a location took and paid back from one day to another, both included, in its time zone: one result for each
 * currency, in alphabetical order. Payments that were undone do not count.
 *
 * @throws NOT_FOUND for the location; VALIDATION: ENDS_BEFORE_START, or INVALID_INPUT for more than 366 days
 */
export async function sumTakings(
  ctx: Context,
  { locationId, from, to }: { locationId: string; from: CalendarDate; to: CalendarDate },
): Promise<Takings[]> {
  const { id, timeZone } = await getLocation(ctx, locationId);
  assertRange(from, to);
  const bounds = toInstantBounds(from, to, timeZone);
  const groups = await ctx.pipelinedSql<Group>(SUM_TAKINGS, [id, bounds.from, bounds.to]);
  const currencies = [...new Set(groups.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const own = groups.filter((group) => group.currency === currency);
    return {
      total: addUp(own, currency),
      byMethod: split(own, currency, 'method'),
      bySold: split(own, currency, 'sold'),
    };
  });
}

function assertRange(from: CalendarDate, to: CalendarDate): void {
  if (to < from)
    throw new DomainError('VALIDATION', 'The last day is before the first. Choose a later one.', {
      reason: 'ENDS_BEFORE_START',
      fields: ['to'],
    });
  const days = Temporal.PlainDate.from(from).until(to, { largestUnit: 'days' }).days + 1;
  if (days > MAX_DAYS)
    throw new DomainError('VALIDATION', `Choose at most ${MAX_DAYS} days.`, {
      reason: 'INVALID_INPUT',
      fields: ['to'],
    });
}

/** Splits by one key, in alphabetical order. */
function split<Key extends 'method' | 'sold'>(groups: Group[], currency: string, key: Key) {
  const values = [...new Set(groups.map((group) => group[key]))].sort();
  return values.map((value) => ({
    ...addUp(
      groups.filter((group) => group[key] === value),
      currency,
    ),
    [key]: value,
  })) as (TakingsSum & Record<Key, Group[Key]>)[];
}

function addUp(groups: Group[], currency: string): TakingsSum {
  const add = (key: 'taken' | 'paidBack' | 'payments' | 'refunds') =>
    groups.reduce((sum, group) => sum + group[key], 0);
  const [taken, paidBack] = [add('taken'), add('paidBack')];
  return {
    taken: { amount: taken, currency },
    paidBack: { amount: paidBack, currency },
    net: { amount: taken - paidBack, currency },
    paymentCount: add('payments'),
    refundCount: add('refunds'),
  };
}
