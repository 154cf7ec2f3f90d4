import { v7 } from 'uuid';
import { endOverdueVisits } from '../../../src/features/check-ins/service/check-out.ts';
import { HOUR, MINUTE, type OrderState, type Seat } from './documented-orders.ts';
import { compare, type Row, type Run } from './documented-orders-run.ts';
import type { Choice } from './documented-orders-steps.ts';

/** The rules of check-ins with tickets and day passes as the documentation states them, and the steps that compare them. */

interface Visit {
  id: string;
  from: number;
  to: number | null;
  /** The event or the day ended it, not a person. */
  hasEndedByItself: boolean;
}

const DAY = 24 * HOUR;

export function createCheckInSteps(run: Run) {
  const { model, staff, world, app } = run;
  const visits = new Map<string, Visit[]>();

  /** When the service ends the visit by itself: with the event, when the location closes, or at midnight if it is closed by then. */
  const toEnd = (order: OrderState, { from }: Visit): number =>
    order.validOn === null ? model.event.endsAt : model.toClosingTime(order.validOn, from);

  /** Ends the visits whose time has come. */
  function endVisits(now: number) {
    for (const order of model.orders)
      for (const { id } of order.seats)
        for (const visit of visits.get(id) ?? []) {
          const end = toEnd(order, visit);
          if (visit.to !== null || end > now) continue;
          visit.to = end;
          visit.hasEndedByItself = true;
        }
  }

  /** The results that the documents allow. Where several conditions apply, they give no order. */
  function toResults(order: OrderState, seat: Seat, scan: Scan, at: number): string[] {
    const all = visits.get(seat.id) ?? [];
    const last = all.at(-1);
    if (scan.leaving) return toLeavingResults(order, all, scan, at);
    const rejected: string[] = [];
    if (scan.isElsewhere) rejected.push('WRONG_LOCATION');
    if (!seat.isValid || (order.validOn === null && model.event.isCancelled))
      rejected.push('CANCELLED');
    const { from, to } = model.toSpan(order);
    if (at < from - (order.validOn === null ? HOUR : 0)) rejected.push('NOT_YET_VALID');
    if (at >= to) rejected.push('EXPIRED');
    const isUsed = last !== undefined && !scan.readmit;
    const used = last?.to === null ? 'ALREADY_IN' : 'CHECKED_OUT';
    // Who could not be admitted any more is rejected for that, whatever the earlier visits are.
    if (rejected.length > 0) return rejected;
    if (last?.to === null) return ['ALREADY_IN'];
    // A ticket admits once, a day pass any number of times.
    // For an earlier scan, the documents leave open whether the holder was in then or has left by now.
    const usedThen = scan.occurredAt !== null ? ['ALREADY_IN', 'CHECKED_OUT'] : [used];
    if (isUsed && order.validOn === null) return usedThen;
    // So they do if a day pass or a readmitted ticket has visits, and the scan occurred before the last one ended.
    const isAmongVisits = scan.occurredAt !== null && last?.to != null && at <= last.to;
    return isAmongVisits ? ['ADMITTED', 'ALREADY_IN'] : ['ADMITTED'];
  }

  function toLeavingResults(order: OrderState, all: Visit[], scan: Scan, at: number) {
    const { length: count } = all;
    const last = all.at(-1);
    if (scan.isElsewhere) return ['NOT_FOUND', 'WRONG_LOCATION'];
    const hasBegun = last !== undefined && last.from <= at;
    const canEnd =
      hasBegun &&
      (last.to === null || (scan.occurredAt !== null && last.hasEndedByItself && at < last.to));
    // A cancelled ticket has no valid visit to leave, but the documents only say that a used one cannot be cancelled.
    if (order.status !== 'PAID') return [canEnd ? 'CHECKED_OUT' : 'NOT_FOUND', 'CANCELLED'];
    // Of several visits, an earlier scan can belong to any; the documents only exclude those before a return.
    if (scan.occurredAt !== null && count > 1) return ['CHECKED_OUT', 'NOT_FOUND'];
    return [canEnd ? 'CHECKED_OUT' : 'NOT_FOUND'];
  }

  interface Scan {
    isElsewhere: boolean;
    leaving: boolean;
    readmit: boolean;
    occurredAt: number | null;
  }

  async function send(code: string, scan: Scan, isStaff: boolean, scanId: string) {
    const { reason, payload } = await run.mutate(
      'checkIn',
      {
        locationId: scan.isElsewhere ? world.elsewhereId : world.locationId,
        ...{ code, scanId },
        ...(scan.leaving ? { leaving: true } : {}),
        ...(scan.readmit ? { readmit: true } : {}),
        ...(scan.occurredAt === null
          ? {}
          : { occurredAt: new Date(scan.occurredAt).toISOString() }),
      },
      'checkIn { id result checkedInAt checkedOutAt checkOutToken }',
      isStaff ? staff : {},
    );
    return { reason, row: payload?.checkIn as Row };
  }

  /** Scans the code of a ticket or day pass. */
  async function scanSeat(order: OrderState, choice: Choice) {
    const seat = order.seats[choice.b % Math.max(1, order.seats.length)];
    if (!seat) return;
    const now = run.getNow();
    const isStaff = choice.a % 2 === 0;
    const ages = [
      null,
      null,
      null,
      MINUTE,
      30 * MINUTE,
      HOUR,
      DAY,
      DAY + MINUTE,
      7 * DAY,
      7 * DAY + MINUTE,
      -10 * MINUTE,
    ];
    const age = ages[choice.c % ages.length] ?? null;
    const scan: Scan = {
      isElsewhere: choice.b % 11 === 0,
      leaving: choice.c % 5 < 2,
      readmit: isStaff && choice.c % 5 === 3,
      occurredAt: age === null ? null : now - age,
    };
    const at = scan.occurredAt ?? now;
    const scanId = v7();
    const expected = toResults(order, seat, scan, at);
    const first = await send(seat.code, scan, isStaff, scanId);
    const oldest = isStaff ? 7 * DAY : DAY;
    const wrongTime =
      age === null ? null : age < 0 ? 'IN_THE_FUTURE' : age > oldest ? 'TOO_LONG_AGO' : null;
    const what = {
      order,
      seat,
      scan,
      at,
      now,
      first,
      expected,
      wrongTime,
      visits: visits.get(seat.id),
      isStaff,
    };
    if (wrongTime !== null) return compare(`scan ${wrongTime}`, what, first.reason === wrongTime);
    const kind = `${scan.leaving ? 'leaving ' : ''}scan${age === null ? '' : ' later'} ${expected.join('/')}`;
    compare(kind, what, first.reason === null && expected.includes(first.row.result));
    apply(order, seat, scan, at, first.row);
    const again = await send(seat.code, scan, isStaff, scanId);
    compare(
      'scan repeated',
      { ...what, again },
      again.row?.result === first.row.result && again.row.checkOutToken === first.row.checkOutToken,
    );
  }

  function apply(order: OrderState, seat: Seat, scan: Scan, at: number, row: Row) {
    const all = visits.get(seat.id) ?? [];
    const last = all.at(-1);
    if (row.result === 'ADMITTED') {
      compare('time of a visit', { row, at }, Date.parse(row.checkedInAt) === at);
      seat.isUsed = true;
      visits.set(seat.id, [...all, { id: row.id, from: at, to: null, hasEndedByItself: false }]);
      endVisits(run.getNow());
    } else if (row.result === 'ALREADY_IN')
      compare('time of the visit', { row, last }, Date.parse(row.checkedInAt) === last?.from);
    else if (scan.leaving && row.result === 'CHECKED_OUT' && last) {
      compare('end of a visit', { row, at, order }, Date.parse(row.checkedOutAt) === at);
      last.to = at;
      last.hasEndedByItself = false;
    }
  }

  /** Scans the code of the order itself. */
  async function scanOrder(order: OrderState, { a }: Choice) {
    if (order.code === '') return;
    const valid = order.seats.filter(({ isValid }) => isValid);
    const scan: Scan = { isElsewhere: false, leaving: false, readmit: false, occurredAt: null };
    const now = run.getNow();
    const { row, reason } = await send(order.code, scan, a % 2 === 0, v7());
    const admissible = valid.filter((seat) =>
      toResults(order, seat, scan, now).includes('ADMITTED'),
    );
    const isOnlyAdmissible = admissible.length === 1;
    const only = [order.seats, admissible, valid].find(({ length }) => length === 1)?.[0];
    // The documents give no order, no result for an order that has expired, and do not say whether cancelled tickets count.
    const expected =
      order.status === 'PENDING'
        ? ['UNPAID']
        : order.status !== 'PAID'
          ? ['CANCELLED', 'EXPIRED', 'UNPAID', 'NOT_FOUND']
          : only
            ? [
                ...toResults(order, only, scan, now),
                ...(order.seats.length > 1 && !isOnlyAdmissible ? ['AMBIGUOUS'] : []),
              ]
            : valid.length > 1
              ? [
                  'AMBIGUOUS',
                  ...toResults(order, valid[0] as Seat, scan, now).filter(
                    (result) => result !== 'ADMITTED',
                  ),
                ]
              : null;
    if (expected === null) return;
    if (order.status === 'PENDING') expected.push('NOT_YET_VALID', 'EXPIRED', 'CANCELLED');
    compare(
      `order scanned ${order.status}`,
      { order, row, reason, expected, now },
      reason === null && expected.includes(row.result),
    );
    if (only) apply(order, only, scan, now, row);
  }

  /** Ends a visit by its id. A second call changes nothing. */
  async function endVisit(order: OrderState, { b }: Choice) {
    const seat = order.seats[b % Math.max(1, order.seats.length)];
    const last = seat && visits.get(seat.id)?.at(-1);
    if (!last) return;
    const now = run.getNow();
    const { reason, payload } = await run.mutate(
      'checkOut',
      { id: last.id },
      'checkIn { checkedOutAt }',
      staff,
    );
    const end = last.to ?? now;
    compare(
      'check out',
      { last, now, payload, reason },
      reason === null && Date.parse(payload.checkIn.checkedOutAt) === end,
    );
    if (last.to === null) last.to = end;
  }

  return {
    ...{ scanSeat, scanOrder, endVisit },
    /** Ends the visits whose time has come, in the model and in the service. */
    endOverdueVisits: async () => {
      endVisits(run.getNow());
      await endOverdueVisits(app.ctx);
    },
  };
}
