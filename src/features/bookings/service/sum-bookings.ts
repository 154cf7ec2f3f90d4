import type { Context } from '../../../context.ts';
import type { Money } from '../../../core/money.ts';
import { DomainError } from '../../../errors.ts';
import { aggregateRows } from '../../../lists/read-list.ts';
import {
  type BookingPaymentStatus,
  toDueAmountSql,
  toOpenAmountSql,
  toSurplusAmountSql,
} from '../types.ts';
import { type BookingFilter, bookingList } from './list-bookings.ts';

/** More bookings than any space has in its longest range. */
const MAX_BOOKINGS = 1_000_000;

/** What bookings cost and what was paid of them, added up in one currency. */
export interface BookingTotals {
  count: number;
  due: Money;
  paid: Money;
  open: Money;
  surplus: Money;
}

const sumSql = (amount: string, name: string) => `sum(${amount})::float8 AS "${name}"`;

const COLUMNS = [
  'counted.price_currency AS currency',
  'count(*)::int AS count',
  sumSql(toDueAmountSql('counted'), 'due'),
  sumSql('counted.paid_amount', 'paid'),
  sumSql(toOpenAmountSql('counted'), 'open'),
  sumSql(toSurplusAmountSql('counted'), 'surplus'),
].join(', ');

/** The statuses with an index, of which there are few bookings. */
const INDEXED: readonly BookingPaymentStatus[] = ['unpaid', 'overpaid'];

/**
 * Adds up the bookings that match a filter, by currency. Members see only their own.
 *
 * @throws VALIDATION (INVALID_INPUT) for a filter that could match the whole history
 */
export async function sumBookings(ctx: Context, filter: BookingFilter): Promise<BookingTotals[]> {
  const hasFew = filter.payment?.every((status) => INDEXED.includes(status)) ?? false;
  if (!hasFew && !(filter.from && filter.to))
    throw new DomainError(
      'VALIDATION',
      'Add up bookings of some days with from and to, or those to be paid or returned with payment.',
      { reason: 'INVALID_INPUT' },
    );
  const rows = await aggregateRows<{ currency: string; count: number } & Sums, BookingFilter>(
    ctx,
    bookingList,
    filter,
    { max: MAX_BOOKINGS, columns: COLUMNS, groupBy: 'counted.price_currency' },
  );
  return rows.map(({ currency, count, due, paid, open, surplus }) => {
    const toMoney = (amount: number) => ({ amount, currency });
    return {
      count,
      due: toMoney(due),
      paid: toMoney(paid),
      open: toMoney(open),
      surplus: toMoney(surplus),
    };
  });
}

type Sums = Record<'due' | 'paid' | 'open' | 'surplus', number>;
