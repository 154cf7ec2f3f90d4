import { toDay } from './documented-bookings-time.ts';
import { type ClosingState, type Currency, type PlaceState, toDate } from './documented-takings.ts';
import {
  ANY_REASON,
  type Choice,
  type Outcome,
  type Row,
  type Run,
} from './documented-takings-run.ts';
import type { Caller } from './documented-takings-stage.ts';

/** The daily closing of the cash, and its correction. */

export const CLOSING = `id day opening { amount currency } openingDifference { amount } taken { amount } paidBack { amount } counted { amount }
  expected { amount } difference { amount } changedSince { amount } note closedBy location { id }`;

const COUNTED = [0, 1, 5_000, 20_050];

export function createClosingSteps(run: Run) {
  const { model, mutate, judge, compare, getNow, pick, toCaller } = run;

  /** Compares everything that both know about a closing. */
  function compareClosing(closing: ClosingState, row: Row) {
    const { place, day, currency, note, closedBy } = closing;
    const amounts = Object.entries(model.toClosing(closing));
    const isChanged = model.toClosing(closing).changedSince !== 0;
    compare(
      isChanged ? 'closing that has changed since' : 'closing',
      { closing },
      [
        ...[row.day, row.opening.currency, row.note, row.closedBy, row.location.id],
        ...amounts.map(([name]) => [name, row[name]?.amount ?? null]),
      ],
      [toDate(day), currency, note, closedBy, place.id, ...amounts],
    );
  }

  async function close({ a, b, c }: Choice) {
    const place = pick(model.places, a) as PlaceState;
    const today = toDay(place.zone, getNow());
    const day = today + (pick([0, 0, -1, -1, -2, -3, 1], b) ?? 0);
    const [known = 'EUR'] = model.listCashCurrencies(place, day);
    const isOther = c % 6 === 0;
    const currency: Currency = isOther ? (known === 'EUR' ? 'CHF' : 'EUR') : known;
    const isMixed = c % 11 === 0;
    const opening = pick(COUNTED, b) ?? 0;
    const counted = pick(COUNTED, c) ?? 0;
    const note = a % 2 === 0 ? 'Counted twice' : null;
    const callers = [toCaller(c), toCaller(c + 1)] as [Caller, Caller];
    const isTwice = c % 5 === 0;
    const other: Currency = currency === 'EUR' ? 'CHF' : 'EUR';
    const results = await Promise.all(
      callers.slice(0, isTwice ? 2 : 1).map(({ as }) =>
        mutate(
          'closeDay',
          {
            ...{ locationId: place.id, day: toDate(day), note },
            opening: { amount: opening, currency: isMixed ? other : currency },
            counted: { amount: counted, currency },
          },
          `dailyClosing { ${CLOSING} }`,
          as,
        ),
      ),
    );
    const reasons = results.map(({ reason }) => reason);
    const rejected = [
      ...(model.findClosing(place, day) ? ['DAY_CLOSED'] : []),
      ...(day > today ? ['NOT_YET', 'IN_THE_FUTURE'] : []),
      ...(isMixed ? ['CURRENCY_MIXED'] : []),
      ...(note === null && model.toOpeningDifference({ place, day, currency }, opening)
        ? ['NOTE_NEEDED']
        : []),
    ];
    const outcome: Outcome = rejected.length > 0 ? rejected : 'success';
    const winner = reasons.indexOf(null);
    if (!judge('day closed', outcome, reasons[Math.max(0, winner)] ?? null, { rejected })) return;
    if (isTwice) compare('two closings', { reasons }, reasons.toSorted(), ['DAY_CLOSED', null]);
    const row = results[winner]?.payload.dailyClosing;
    const { taken, paidBack } = model.toCash(place, day, currency);
    const closing: ClosingState = {
      ...{ id: row.id, place, day, currency, opening, taken, paidBack, counted, note },
      closedBy: callers[winner]?.name ?? null,
    };
    model.closings.push(closing);
    compareClosing(closing, row);
  }

  async function correct({ a, b, c }: Choice) {
    const changed = model.closings.filter((one) => model.toClosing(one).changedSince !== 0);
    const closing = pick(c % 4 > 0 && changed.length > 0 ? changed : model.closings, a);
    if (!closing) return;
    const caller = pick([run.callers.owner, run.callers.owner, run.callers.frontDesk], b) as Caller;
    const { currency } = closing;
    const other: Currency = c % 7 === 0 ? (currency === 'EUR' ? 'CHF' : 'EUR') : currency;
    const changes = {
      ...(b % 2 === 0 ? { opening: pick(COUNTED, a) ?? 0 } : {}),
      ...(c % 2 === 0 ? { counted: pick(COUNTED, b) ?? 0 } : {}),
    };
    const note = c % 3 === 0 ? 'Corrected' : c % 3 === 1 ? null : undefined;
    const amounts = Object.entries(changes).map(([name, amount], n) => [
      name,
      { amount, currency: n === 0 ? other : currency },
    ]);
    const { reason, payload } = await mutate(
      'correctDailyClosing',
      { id: closing.id, ...Object.fromEntries(amounts), ...(note === undefined ? {} : { note }) },
      `dailyClosing { ${CLOSING} }`,
      caller.as,
    );
    const isMixed = other !== currency && amounts.length > 0;
    const after = { ...closing, ...changes, ...(note === undefined ? {} : { note }) };
    const isUnexplained =
      (changes.opening !== undefined || note !== undefined) &&
      after.note === null &&
      model.toOpeningDifference(after, after.opening);
    const rejected = [
      ...(isMixed ? ['CURRENCY_MIXED'] : []),
      ...(isUnexplained ? ['NOTE_NEEDED'] : []),
    ];
    const outcome: Outcome =
      caller !== run.callers.owner ? ANY_REASON : rejected.length > 0 ? rejected : 'success';
    if (!judge('correction', outcome, reason, { closing })) return;
    const { taken, paidBack } = model.toCash(closing.place, closing.day, currency);
    Object.assign(closing, {
      ...changes,
      taken,
      paidBack,
      ...(note === undefined ? {} : { note }),
    });
    compareClosing(closing, payload.dailyClosing);
  }

  return { close, correct, compareClosing };
}
