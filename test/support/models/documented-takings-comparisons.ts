import { HOUR, toDay, toTime } from './documented-bookings-time.ts';
import {
  type BookingState,
  type Currency,
  countRefunded,
  findCounted,
  type PaymentState,
  type PlaceState,
  type Sum,
  toBookingPayment,
  toDate,
} from './documented-takings.ts';
import { CLOSING, type createClosingSteps } from './documented-takings-closings.ts';
import type { Choice, Row, Run } from './documented-takings-run.ts';

/** Reads all that was paid, returned and counted, and compares it with the model. */

const SUM = 'taken { amount currency } paidBack { amount } net { amount } paymentCount refundCount';
const AMOUNTS = 'due { amount currency } paid { amount } open { amount } surplus { amount }';

const DOCUMENT = `query ($place: ID!, $day: Date!, $from: Date!, $to: Date!, $payments: PaymentFilter!, $refunds: RefundFilter!,
    $bookings: BookingFilter!, $ids: [ID!]!) {
  takings(locationId: $place, from: $from, to: $to) {
    total { ${SUM} } byMethod { method ${SUM} } bySold { sold ${SUM} } }
  payments(first: 100, filter: $payments) { nodes { amount { amount currency } method createdAt takenBy voidedAt voidReason
    refunded { amount } order { id } booking { id } location { id } provider } }
  refunds(first: 100, filter: $refunds) { nodes { id amount { amount currency } method status createdAt completedAt paidBackBy
    order { id } payment { order { id } booking { id } } } }
  bookingTotals(filter: $bookings) { count ${AMOUNTS} }
  bookings(first: 100, filter: $bookings) { nodes { id } }
  cashDay(locationId: $place, day: $day) { day canClose closing { id } taken { amount currency } paidBack { amount currency }
    proposedOpening { amount currency } }
  dailyClosings(first: 100, filter: { locationId: $place }) { nodes { ${CLOSING} } }
  nodes(ids: $ids) { ... on Booking { id payment { status ${AMOUNTS} }
    paymentActions { markPaid markUnpaid returnSurplus } } }
}`;

const METHODS = [undefined, undefined, ['CASH'], ['CARD', 'OTHER'], ['CARD_ONLINE']];
const SPANS: [from: number, to: number][] = [
  ...(
    [
      [0, 0],
      [-1, -1],
      [-1, 0],
      [0, 1],
      [-7, 0],
      [-2, -1],
      [-300, 65],
      [1, 3],
    ] as const
  ).map(([from, to]): [number, number] => [from, to]),
];
const STATUSES = [
  ['UNPAID'],
  ['OVERPAID'],
  ['UNPAID', 'OVERPAID'],
  undefined,
  ['PAID'],
  ['NOT_DUE'],
];

const sort = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted();
const toText = (time: number | undefined | null) =>
  time === undefined || time === null ? null : toTime(time);

export function createComparisons(run: Run, closings: ReturnType<typeof createClosingSteps>) {
  const { model, compare, getNow, pick } = run;

  /** The same range of times for the lists, from hour to hour. */
  const toRange = ({ a, b }: Choice) => {
    const from = Math.floor(getNow() / HOUR) * HOUR - (pick([0, 1, 24, 200], a) ?? 0) * HOUR;
    return b % 3 === 0 ? {} : { from, to: from + (pick([1, 24, 300], b) ?? 1) * HOUR };
  };
  const isWithin = (at: number, { from, to }: { from?: number; to?: number }) =>
    at >= (from ?? -Infinity) && at < (to ?? Infinity);

  return async function compareAll(choice: Choice) {
    const { a, b, c } = choice;
    const place = pick(model.places, a) as PlaceState;
    const today = toDay(place.zone, getNow());
    const [first, last] = pick(SPANS, b) ?? [0, 0];
    const day = today + (pick([0, -1, -2, 1, -3], c) ?? 0);
    const method = pick(METHODS, c);
    const range = toRange(choice);
    const times = { from: toText(range.from), to: toText(range.to) };
    const payment = pick(STATUSES, c);
    // Sums of bookings need days, or only bookings with open or surplus amounts.
    const days =
      payment && !payment.includes('PAID') && !payment.includes('NOT_DUE') ? range : toDays();
    function toDays() {
      const from = getNow() - 30 * HOUR;
      return { from, to: from + (pick([24, 48, 150], a) ?? 1) * HOUR };
    }
    const status = pick([undefined, ['PENDING'], ['SUCCEEDED']], b);
    const data = await run.ask(
      DOCUMENT,
      {
        ...{ place: place.id, day: toDate(day) },
        ...{ from: toDate(today + first), to: toDate(today + last) },
        payments: { locationId: place.id, ...(method && { method }), ...removeNulls(times) },
        refunds: {
          ...{ locationId: place.id, ...(method && { method }), ...(status && { status }) },
          ...removeNulls({ completedFrom: times.from, completedTo: times.to }),
        },
        bookings: {
          ...{ locationId: place.id, ...(payment && { payment }) },
          ...removeNulls({ from: toText(days.from), to: toText(days.to) }),
        },
        ids: model.bookings.map(({ id }) => id),
      },
      run.callers.owner.as,
    );
    compareTakings(place, today + first, today + last, data.takings);
    comparePayments(
      data.payments.nodes,
      (row) => isFound(row, place, method) && isWithin(row.at, range),
    );
    compareRefunds(data.refunds.nodes, place, { method, status, range });
    compareTotals(data, (one) => isOfPlace(one, place, payment) && overlaps(one, days));
    compareCashDay(place, day, today, data.cashDay);
    compareClosings(place, data.dailyClosings.nodes);
    for (const [n, booking] of model.bookings.entries()) compareBooking(booking, data.nodes[n]);
  };

  function compareTakings(place: PlaceState, from: number, to: number, rows: Row[]) {
    const toRow = (currency: Currency, { taken, paidBack, paymentCount, refundCount }: Sum) => ({
      ...{ taken: { amount: taken, currency }, paidBack: { amount: paidBack } },
      ...{ net: { amount: taken - paidBack }, paymentCount, refundCount },
    });
    const want = model.toTakings(place, from, to).map(({ currency, total, byMethod, bySold }) => ({
      total: toRow(currency, total),
      byMethod: sort(byMethod.map(({ key, ...sum }) => ({ method: key, ...toRow(currency, sum) }))),
      bySold: sort(bySold.map(({ key, ...sum }) => ({ sold: key, ...toRow(currency, sum) }))),
    }));
    const got = rows.map((row) => ({
      ...{ total: row.total, byMethod: sort(row.byMethod), bySold: sort(row.bySold) },
    }));
    const currencies = ['no currency', 'one currency', 'two currencies'][want.length];
    const span = from === to ? 'one day' : 'days';
    compare(`takings of ${span}, ${currencies}`, { place, from, to }, sort(got), sort(want));
  }

  function isFound(row: PaymentState, place: PlaceState, method: string[] | undefined) {
    return row.place === place && (method?.includes(row.method) ?? true);
  }

  function comparePayments(rows: Row[], filter: (row: PaymentState) => boolean) {
    const found = model.payments.filter(filter);
    const want = found.map((row) => [
      ...[row.paysFor, row.sold === 'BOOKINGS', row.place.id, 'ON_SITE', row.amount, row.currency],
      ...[row.method, toTime(row.at), row.takenBy, countRefunded(row)],
      ...[toText(row.voided?.at), row.voided?.reason ?? null],
    ]);
    const got = rows.map((row) => [
      ...[row.order?.id ?? row.booking?.id, row.booking !== null, row.location?.id, row.provider],
      ...[row.amount.amount, row.amount.currency, row.method, row.createdAt, row.takenBy],
      ...[row.refunded.amount, row.voidedAt, row.voidReason],
    ]);
    compare(found.length > 0 ? 'payments' : 'no payments', {}, sort(got), sort(want));
  }

  function compareRefunds(
    rows: Row[],
    place: PlaceState,
    filter: {
      method: string[] | undefined;
      status: string[] | undefined;
      range: { from?: number; to?: number };
    },
  ) {
    const { method, status, range } = filter;
    const all = model.payments.flatMap((payment) =>
      payment.refunds.map((refund) => ({ payment, refund })),
    );
    const found = all.filter(({ payment, refund: { returned } }) => {
      const isCompleted = range.from === undefined || (returned && isWithin(returned.at, range));
      const hasMethod = !method || (returned && method.includes(returned.method));
      const hasStatus = status?.includes(returned ? 'SUCCEEDED' : 'PENDING') ?? true;
      return payment.place === place && isCompleted && hasMethod && hasStatus;
    });
    const want = found.map(({ payment, refund: { id, amount, requestedAt, returned } }) => [
      ...[id, amount, payment.currency, returned ? 'SUCCEEDED' : 'PENDING', toTime(requestedAt)],
      ...[returned?.method ?? null, toText(returned?.at), returned?.by ?? null, payment.paysFor],
      payment.sold === 'BOOKINGS' ? null : payment.paysFor,
    ]);
    const got = rows.map((row) => [
      ...[row.id, row.amount.amount, row.amount.currency, row.status, row.createdAt, row.method],
      ...[row.completedAt, row.paidBackBy, row.payment.order?.id ?? row.payment.booking?.id],
      row.order?.id ?? null,
    ]);
    compare(found.length > 0 ? 'refunds' : 'no refunds', { filter }, sort(got), sort(want));
  }

  function isOfPlace(booking: BookingState, place: PlaceState, statuses: string[] | undefined) {
    return (
      booking.place === place && (statuses?.includes(toBookingPayment(booking).status) ?? true)
    );
  }

  function overlaps(booking: BookingState, { from, to }: { from?: number; to?: number }) {
    return booking.end > (from ?? -Infinity) && booking.start < (to ?? Infinity);
  }

  function compareTotals(data: Row, filter: (booking: BookingState) => boolean) {
    const found = model.bookings.filter(filter);
    const want = model
      .toBookingTotals(found)
      .map(({ currency, count, due, paid, open, surplus }) => ({
        ...{ count, due: { amount: due, currency }, paid: { amount: paid } },
        ...{ open: { amount: open }, surplus: { amount: surplus } },
      }));
    compare(
      found.length > 0 ? 'booking totals' : 'no booking totals',
      {},
      sort(data.bookingTotals),
      sort(want),
    );
    const ids = data.bookings.nodes.map(({ id }: Row) => id);
    compare('list of bookings', {}, sort(ids), sort(found.map(({ id }) => id)));
  }

  function compareCashDay(place: PlaceState, day: number, today: number, row: Row) {
    const { currency } = row.taken;
    const currencies = model.listCashCurrencies(place, day);
    compare('currency of the cash', { currency, currencies }, currencies.includes(currency), true);
    const closing = model.findClosing(place, day);
    const last = model.findLastClosing(place, day);
    const { taken, paidBack } = model.toCash(place, day, currency);
    compare(
      closing ? 'cash of a closed day' : 'cash of an open day',
      { place, day },
      [row.day, row.canClose, row.closing?.id ?? null, row.taken, row.paidBack],
      [
        ...[toDate(day), !closing && day <= today, closing?.id ?? null],
        ...[
          { amount: taken, currency },
          { amount: paidBack, currency },
        ],
      ],
    );
    compare(
      last ? 'proposed opening' : 'no proposed opening',
      { place, day },
      row.proposedOpening,
      last ? { amount: last.counted, currency: last.currency } : null,
    );
  }

  function compareClosings(place: PlaceState, rows: Row[]) {
    const own = model.closings.filter((closing) => closing.place === place);
    compare('list of closings', {}, sort(rows.map(({ id }) => id)), sort(own.map(({ id }) => id)));
    for (const closing of own)
      closings.compareClosing(
        closing,
        rows.find(({ id }) => id === closing.id),
      );
  }

  function compareBooking(booking: BookingState, row: Row) {
    const { status, due, paid, open, surplus } = toBookingPayment(booking);
    const { currency } = booking.resource;
    compare(`booking ${booking.status} ${status}`, { booking }, row.payment, {
      ...{ status, due: { amount: due, currency }, paid: { amount: paid } },
      ...{ open: { amount: open }, surplus: { amount: surplus } },
    });
    const canUndo = findCounted(booking).some(({ refunds }) => refunds.length === 0);
    compare('actions of a booking', { booking }, row.paymentActions, {
      ...{ markPaid: open > 0, markUnpaid: canUndo },
      returnSurplus: surplus > 0,
    });
  }
}

const removeNulls = (fields: Record<string, string | null>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
