import { DAY, startOfDay } from './documented-bookings-time.ts';

/**
 * What was paid, returned and counted, as docs/guides/payments.md and the descriptions of the API state it, written without a
 * look at the service. Times are milliseconds since 1970, days are counted from 1970-01-01, amounts are cents.
 */

export type Method = 'CASH' | 'CARD' | 'OTHER';
type Sold = 'BOOKINGS' | 'DAY_PASSES' | 'TICKETS';
export type Currency = 'EUR' | 'CHF';
type PaymentStatus = 'NOT_DUE' | 'UNPAID' | 'PAID' | 'OVERPAID';

export interface PlaceState {
  id: string;
  zone: string;
}

export interface PaymentState {
  /** The id of the order or the booking. */
  paysFor: string;
  sold: Sold;
  place: PlaceState;
  currency: Currency;
  amount: number;
  method: Method;
  at: number;
  takenBy: string | null;
  voided: { at: number; reason: string } | null;
  refunds: RefundState[];
}

export interface RefundState {
  /** Empty until the test knows it. */
  id: string;
  amount: number;
  requestedAt: number;
  returned: { at: number; method: Method; by: string | null } | null;
}

export interface BookingState {
  id: string;
  place: PlaceState;
  resource: { id: string; hourly: number; currency: Currency };
  isGuest: boolean;
  start: number;
  end: number;
  status: 'PENDING' | 'CONFIRMED' | 'CANCELLED' | 'NO_SHOW';
  price: number;
  fee: number;
  payments: PaymentState[];
}

export interface ClosingState {
  id: string;
  place: PlaceState;
  day: number;
  currency: Currency;
  opening: number;
  taken: number;
  paidBack: number;
  counted: number;
  note: string | null;
  closedBy: string | null;
}

export interface Sum {
  taken: number;
  paidBack: number;
  paymentCount: number;
  refundCount: number;
}

/** A row of what was received or returned. */
interface Movement {
  kind: 'payment' | 'refund';
  payment: PaymentState;
  amount: number;
  at: number;
  method: Method;
}

const add = (amounts: number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

/** What was returned of a payment, or will be. */
export const countRefunded = ({ refunds }: PaymentState) =>
  add(refunds.map(({ amount }) => amount));

export const findCounted = ({ payments }: BookingState) =>
  payments.filter(({ voided }) => voided === null);

/** What a booking costs now, and what was paid of it. */
export function toBookingPayment(booking: BookingState) {
  const { status, price, fee } = booking;
  const counted = findCounted(booking);
  const paid = add(counted.map((payment) => payment.amount - countRefunded(payment)));
  const due = status === 'PENDING' ? Math.min(price, paid) : status === 'CANCELLED' ? fee : price;
  const open = Math.max(0, due - paid);
  const surplus = Math.max(0, paid - due);
  const name: PaymentStatus =
    surplus > 0 ? 'OVERPAID' : open > 0 ? 'UNPAID' : due > 0 ? 'PAID' : 'NOT_DUE';
  return { status: name, due, paid, open, surplus };
}

export function createTakingsModel(places: PlaceState[]) {
  const payments: PaymentState[] = [];
  const bookings: BookingState[] = [];
  const closings: ClosingState[] = [];

  function listMovements(): Movement[] {
    const counted = payments.filter(({ voided }) => voided === null);
    const received = counted.map((payment) => ({
      ...{ kind: 'payment' as const, payment, amount: payment.amount },
      ...{ at: payment.at, method: payment.method },
    }));
    const returned = counted.flatMap((payment) =>
      payment.refunds.flatMap((refund) =>
        refund.returned
          ? [{ kind: 'refund' as const, payment, amount: refund.amount, ...refund.returned }]
          : [],
      ),
    );
    return [...received, ...returned];
  }

  /** What was received and returned at a place, from the first day to the last one. */
  const listOfDays = (place: PlaceState, from: number, to: number) =>
    listMovements().filter(
      ({ payment, at }) =>
        payment.place === place &&
        at >= startOfDay(place.zone, from) &&
        at < startOfDay(place.zone, to + 1),
    );

  function addUp(rows: Movement[]): Sum {
    const received = rows.filter(({ kind }) => kind === 'payment');
    const returned = rows.filter(({ kind }) => kind === 'refund');
    return {
      ...{ taken: add(received.map(({ amount }) => amount)), paymentCount: received.length },
      ...{ paidBack: add(returned.map(({ amount }) => amount)), refundCount: returned.length },
    };
  }

  function groupBy<Key extends string>(rows: Movement[], toKey: (row: Movement) => Key) {
    const keys = [...new Set(rows.map(toKey))].toSorted();
    return keys.map((key) => ({ key, ...addUp(rows.filter((row) => toKey(row) === key)) }));
  }

  /** The takings of some days, one of each currency. */
  function toTakings(place: PlaceState, from: number, to: number) {
    const rows = listOfDays(place, from, to);
    const currencies = [...new Set(rows.map(({ payment }) => payment.currency))].toSorted();
    return currencies.map((currency) => {
      const own = rows.filter(({ payment }) => payment.currency === currency);
      return {
        currency,
        total: addUp(own),
        byMethod: groupBy(own, ({ method }) => method),
        bySold: groupBy(own, ({ payment }) => payment.sold),
      };
    });
  }

  /** The cash of one day in one currency. */
  const toCash = (place: PlaceState, day: number, currency: Currency) =>
    addUp(
      listOfDays(place, day, day).filter(
        ({ method, payment }) => method === 'CASH' && payment.currency === currency,
      ),
    );

  const findClosing = (place: PlaceState, day: number) =>
    closings.find((closing) => closing.place === place && closing.day === day);
  const findLastClosing = (place: PlaceState, day: number, currency?: Currency) =>
    closings
      .filter((closing) => closing.place === place && closing.day < day)
      .filter((closing) => currency === undefined || closing.currency === currency)
      .toSorted((one, other) => one.day - other.day)
      .at(-1);

  /** What an opening amount differs by from the last count in this currency, or null if there is none. */
  function toOpeningDifference(
    { place, day, currency }: Pick<ClosingState, 'place' | 'day' | 'currency'>,
    opening: number,
  ): number | null {
    const last = findLastClosing(place, day, currency);
    return last ? opening - last.counted : null;
  }

  /** The currencies in which a day can be counted: several where the guide leaves it open. */
  function listCashCurrencies(place: PlaceState, day: number): Currency[] {
    const decided = findClosing(place, day) ?? findLastClosing(place, day);
    if (decided) return [decided.currency];
    // At the same moment, either can be the first.
    const cash = listOfDays(place, day, day).filter(({ method }) => method === 'CASH');
    const first = Math.min(...cash.map(({ at }) => at));
    const found = cash.filter(({ at }) => at === first).map(({ payment }) => payment.currency);
    return found.length > 0 ? [...new Set(found)] : ['EUR', 'CHF'];
  }

  function toClosing(closing: ClosingState) {
    const { place, day, currency, opening, taken, paidBack, counted } = closing;
    const now = toCash(place, day, currency);
    const expected = opening + taken - paidBack;
    return {
      ...{ opening, taken, paidBack, counted, expected, difference: counted - expected },
      openingDifference: toOpeningDifference(closing, opening),
      changedSince: now.taken - now.paidBack - (taken - paidBack),
    };
  }

  /** Bookings that a filter finds: their sums by currency. */
  function toBookingTotals(found: BookingState[]) {
    const currencies = [...new Set(found.map(({ resource }) => resource.currency))].toSorted();
    return currencies.map((currency) => {
      const own = found.filter(({ resource }) => resource.currency === currency);
      const rows = own.map(toBookingPayment);
      const sum = (field: 'due' | 'open' | 'paid' | 'surplus') =>
        add(rows.map((row) => row[field]));
      return {
        ...{ currency, count: own.length },
        ...{ due: sum('due'), open: sum('open'), paid: sum('paid'), surplus: sum('surplus') },
      };
    });
  }

  return {
    ...{ places, payments, bookings, closings },
    ...{ listOfDays, toTakings, toCash, toClosing, toBookingTotals },
    ...{ findClosing, findLastClosing, toOpeningDifference, listCashCurrencies },
  };
}

export const toDate = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);
