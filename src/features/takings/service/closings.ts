import { v7 } from 'uuid';
import type { z } from 'zod';
import { getStaffId } from '../../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import type { Money } from '../../../core/money.ts';
import {
  type CalendarDate,
  toDateColumn,
  toInstantBounds,
} from '../../../core/time/calendar-date.ts';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { rejectDuplicate } from '../../../db/constraint-errors.ts';
import { toDayEndSql, toDayStartSql } from '../../../db/day-bounds.ts';
import {
  type Projection,
  projectMoney,
  projectUnescaped,
  projectWhen,
} from '../../../db/json-projection.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { recordCreated, recordUpdated } from '../../../journal/record-changes.ts';
import { findRow, findRows } from '../../../lists/read-list.ts';
import { defineRowActions } from '../../../lists/row-actions.ts';
import type { RowList } from '../../../lists/row-list.ts';
import { projectFields } from '../../../rows/projection.ts';
import type { ShownRow } from '../../../rows/row.ts';
import { getLocation } from '../../spaces/service/locations.ts';
import type { closeDayInput, correctDailyClosingInput } from '../inputs.ts';
import { dailyClosingRow } from '../rows.ts';

/** The count of the cash of one day at one location. */
export interface DailyClosing extends ShownRow<typeof dailyClosingRow> {
  locationId: string;
  opening: Money;
  /** Opening minus what was counted last before this day in its currency, as recorded now. Null if nothing was. */
  openingDifference: Money | null;
  /** In cash, as recorded when the day was closed or last corrected. */
  taken: Money;
  paidBack: Money;
  /** What should have been there: opening, plus taken, minus paid back. */
  expected: Money;
  counted: Money;
  /** Counted minus expected. */
  difference: Money;
  /** How much the cash of the day, as recorded now, differs from that at the closing. */
  changedSince: Money;
}

interface DailyClosingFilter {
  locationId?: string | undefined;
  from?: CalendarDate | undefined;
  to?: CalendarDate | undefined;
}

/** SQL: the cash of a location between two instants, as columns `taken` and `paid_back` in minor units. */
const toCashSql = (location: string, currency: string, from: string, to: string) => `
  SELECT coalesce((SELECT sum(p.amount) FROM payments p WHERE p.location_id = ${location} AND p.method = 'cash'
      AND p.voided_at IS NULL AND p.currency = ${currency} AND p.created_at >= ${from} AND p.created_at < ${to}), 0)::float8 AS taken,
    coalesce((SELECT sum(r.amount) FROM refunds r JOIN payments p ON p.id = r.payment_id
      WHERE r.location_id = ${location} AND r.method = 'cash' AND r.status = 'succeeded'
      AND p.currency = ${currency} AND r.completed_at >= ${from} AND r.completed_at < ${to}), 0)::float8 AS paid_back`;

/** SQL: a bound of the day of a closing at its location. */
const toBoundSql = (row: string, toSql: typeof toDayStartSql) =>
  `(SELECT ${toSql(`${row}.day`, 'l.time_zone')} FROM locations l WHERE l.id = ${row}.location_id)`;

const toExpectedSql = (row: string) =>
  `(${row}.opening_amount::float8 + ${row}.taken_amount - ${row}.paid_back_amount)`;

/** The APIs show amounts as 32-bit integers. */
const MAX_AMOUNT = 2_147_483_647;

/** SQL: a sum, which can be beyond the amounts that the APIs show, as one of them. */
const toAmountSql = (sum: string) => `greatest(least(${sum}, ${MAX_AMOUNT}), ${-MAX_AMOUNT})::int`;

/** SQL: opening minus the last count before the day of a closing, or null if there is none. */
const toOpeningDifferenceSql = (row: string) => `(
  SELECT ${row}.opening_amount::float8 - earlier.counted_amount FROM daily_closings earlier
  WHERE earlier.location_id = ${row}.location_id AND earlier.day < ${row}.day AND earlier.currency = ${row}.currency
  ORDER BY earlier.location_id DESC, earlier.day DESC LIMIT 1)`;

/** Projects a closing. */
export const toDailyClosingProjection = (row: string) => {
  const money = (amount: string) => projectMoney(amount, `${row}.currency`);
  const now = `(SELECT cash.taken - cash.paid_back FROM (${toCashSql(
    `${row}.location_id`,
    `${row}.currency`,
    toBoundSql(row, toDayStartSql),
    toBoundSql(row, toDayEndSql),
  )}) cash)`;
  return {
    ...projectFields(dailyClosingRow, row),
    locationId: projectUnescaped(`${row}.location_id`),
    opening: money(`${row}.opening_amount`),
    openingDifference: projectWhen(
      `${toOpeningDifferenceSql(row)} IS NOT NULL`,
      money(toAmountSql(toOpeningDifferenceSql(row))),
    ),
    taken: money(`${row}.taken_amount`),
    paidBack: money(`${row}.paid_back_amount`),
    expected: money(toAmountSql(toExpectedSql(row))),
    counted: money(`${row}.counted_amount`),
    difference: money(toAmountSql(`${row}.counted_amount - ${toExpectedSql(row)}`)),
    changedSince: money(toAmountSql(`${now} - (${row}.taken_amount - ${row}.paid_back_amount)`)),
  } satisfies Projection & Record<keyof DailyClosing, unknown>;
};

const closingProjection = toDailyClosingProjection('item');

/** Closings, latest day first. Callers check that the viewer can see them. */
export const dailyClosingList = {
  name: 'daily closings',
  table: 'daily_closings',
  sortKeys: { DAY: { column: 'day', type: 'date', label: 'day' } },
  defaultOrder: 'DAY_DESC',
  sharedQueryPlans: { DAY: ['from', 'to'] },
  where: (row, { locationId, from, to }, { bind }) => [
    ...(locationId ? [`${row}.location_id = ${bind(locationId, 'uuid')}`] : []),
    ...(from ? [`${row}.day >= ${bind(from, 'date')}`] : []),
    ...(to ? [`${row}.day <= ${bind(to, 'date')}`] : []),
  ],
  toItem: () => ({ projection: closingProjection, joins: '' }),
  findByIds: (ctx, ids): Promise<DailyClosing[]> => findRows(ctx, dailyClosingList, ids),
} satisfies RowList<DailyClosing, DailyClosingFilter, 'DAY'>;

export const dailyClosingActions = defineRowActions({
  table: 'daily_closings',
  access: 'staff:manage',
  toConditions: () => ({ correct: 'true' }),
});

/** The cash of one day at a location, as recorded now, and its closing. */
export interface CashDay {
  day: CalendarDate;
  /** The cash that was counted last before this day, or null if no day was closed before. */
  proposedOpening: Money | null;
  taken: Money;
  paidBack: Money;
  /** Null if the day is not closed. */
  closing: DailyClosing | null;
  /** Whether the day can be closed now. */
  canClose: boolean;
}

const FIND_LAST_COUNT = prepareStatement(`
  SELECT counted_amount AS amount, currency FROM daily_closings
  WHERE location_id = $1::uuid AND day < $2::date ORDER BY location_id DESC, day DESC LIMIT 1`);

// Without an earlier closing, the currency is that of the first cash of the day, and then that of the prices.
const FIND_CURRENCY = prepareStatement(`
  SELECT coalesce(
    (SELECT cash.currency FROM (
        SELECT p.currency, p.created_at AS moved_at, p.id FROM payments p WHERE p.location_id = $1::uuid AND p.method = 'cash'
          AND p.voided_at IS NULL AND p.created_at >= $2::timestamptz AND p.created_at < $3::timestamptz
        UNION ALL
        SELECT p.currency, r.completed_at, r.id FROM refunds r JOIN payments p ON p.id = r.payment_id WHERE r.location_id = $1::uuid
          AND r.method = 'cash' AND r.status = 'succeeded' AND r.completed_at >= $2::timestamptz AND r.completed_at < $3::timestamptz
      ) cash ORDER BY cash.moved_at, cash.id LIMIT 1),
    (SELECT r.currency FROM resources r WHERE r.location_id = $1::uuid AND r.hourly_amount > 0 ORDER BY r.id LIMIT 1),
    (SELECT t.price_currency FROM day_pass_types t WHERE t.location_id = $1::uuid ORDER BY t.id LIMIT 1), 'EUR') AS currency`);

const FIND_CURRENCIES = prepareStatement(`
  SELECT currency FROM payments WHERE location_id = $1::uuid AND created_at >= $2::timestamptz AND created_at < $3::timestamptz
  UNION SELECT currency FROM daily_closings WHERE location_id = $1::uuid
  UNION SELECT currency FROM resources WHERE location_id = $1::uuid AND hourly_amount > 0
  UNION SELECT price_currency FROM day_pass_types WHERE location_id = $1::uuid
  UNION SELECT t.price_currency FROM ticket_types t JOIN events e ON e.id = t.event_id WHERE e.location_id = $1::uuid
  ORDER BY currency`);

const SUM_CASH = prepareStatement(
  toCashSql('$1::uuid', '$2::text', '$3::timestamptz', '$4::timestamptz'),
);

/** Gets the cash of a day, to count it. @throws NOT_FOUND for the location. */
export async function getCashDay(
  ctx: Context,
  { locationId, day }: { locationId: string; day: CalendarDate },
): Promise<CashDay> {
  const { id, timeZone } = await getLocation(ctx, locationId);
  const { from, to } = toInstantBounds(day, day, timeZone);
  const closing = await findClosing(ctx, id, day);
  const [last] = await ctx.pipelinedSql<Money>(FIND_LAST_COUNT, [id, day]);
  const [found] = await ctx.pipelinedSql<{ currency: string }>(FIND_CURRENCY, [id, from, to]);
  const currency = closing?.counted.currency ?? last?.currency ?? found?.currency ?? 'EUR';
  const cash = await sumCash(ctx, { locationId: id, currency, from, to });
  return {
    day,
    proposedOpening: last ?? null,
    taken: { amount: cash.taken, currency },
    paidBack: { amount: cash.paidBack, currency },
    closing,
    canClose: closing === null && day <= toLocalDate(ctx.now(), timeZone),
  };
}

const findClosing = (ctx: Context, locationId: string, day: CalendarDate) =>
  findRow<DailyClosing>(
    ctx,
    dailyClosingList,
    (row, bind) =>
      `${row}.location_id = ${bind(locationId, 'uuid')} AND ${row}.day = ${bind(day, 'date')}`,
  );

async function sumCash(
  ctx: Context,
  cash: { locationId: string; currency: string; from: Date; to: Date },
): Promise<{ taken: number; paidBack: number }> {
  const [row] = await ctx.pipelinedSql<{ taken: number; paid_back: number }>(SUM_CASH, [
    cash.locationId,
    cash.currency,
    cash.from,
    cash.to,
  ]);
  const sums = { taken: row?.taken ?? 0, paidBack: row?.paid_back ?? 0 };
  if (Math.max(sums.taken, sums.paidBack) > MAX_AMOUNT)
    throw new DomainError('CONFLICT', 'The cash of this day is too much to be counted at once.', {
      reason: 'AMOUNT_TOO_LARGE',
    });
  return sums;
}

/**
 * Records the cash that was counted at the end of a day. Each day of a location is closed once.
 *
 * @throws NOT_FOUND for the location; VALIDATION: IN_THE_FUTURE, CURRENCY_MIXED, INVALID_INPUT for a currency that is not in use,
 * NOTE_NEEDED as `assertExplained`; CONFLICT (DAY_CLOSED)
 */
export async function closeDay(
  ctx: Context,
  { locationId, day, opening, counted, note }: z.output<typeof closeDayInput>,
): Promise<DailyClosing> {
  const location = await getLocation(ctx, locationId);
  if (day > toLocalDate(ctx.now(), location.timeZone))
    throw new DomainError('VALIDATION', 'This day has not begun. Close it at its end.', {
      reason: 'IN_THE_FUTURE',
      fields: ['day'],
    });
  assertSameCurrency(opening, counted);
  const { currency } = counted;
  const bounds = toInstantBounds(day, day, location.timeZone);
  await assertUsedCurrency(ctx, location.id, { currency, ...bounds });
  return runInTransaction(ctx, async (ctx) => {
    const cash = await sumCash(ctx, { locationId: location.id, currency, ...bounds });
    const id = v7();
    await rejectSecondClosing(() =>
      ctx.db.dailyClosing.create({
        data: {
          id,
          locationId: location.id,
          day: toDateColumn(day),
          currency,
          openingAmount: opening.amount,
          takenAmount: cash.taken,
          paidBackAmount: cash.paidBack,
          countedAmount: counted.amount,
          note: note ?? null,
          closedById: getStaffId(ctx.viewer),
          createdAt: ctx.now(),
          updatedAt: ctx.now(),
        },
      }),
    );
    await recordCreated(ctx, 'daily_closing.created', [id]);
    return assertExplained(await getClosing(ctx, id));
  });
}

/**
 * Corrects a closing, and takes over the cash of its day as recorded now. The journal keeps the earlier figures.
 *
 * @throws NOT_FOUND; VALIDATION: CURRENCY_MIXED, CHANGED_MEANWHILE, NOTE_NEEDED as `assertExplained` if it changes the opening
 * amount or the note
 */
export const correctDailyClosing = (
  ctx: Context,
  { id, opening, counted, note }: z.output<typeof correctDailyClosingInput>,
): Promise<DailyClosing> =>
  runInTransaction(ctx, async (ctx) => {
    const closing = await getClosing(ctx, id);
    for (const money of [opening, counted]) if (money) assertSameCurrency(closing.counted, money);
    const { timeZone } = await getLocation(ctx, closing.locationId);
    await recordUpdated(ctx, 'daily_closing.corrected', [closing.id], async () => {
      const cash = await sumCash(ctx, {
        locationId: closing.locationId,
        currency: closing.counted.currency,
        ...toInstantBounds(closing.day, closing.day, timeZone),
      });
      await ctx.db.dailyClosing.update({
        where: { id: closing.id },
        data: {
          ...(opening && { openingAmount: opening.amount }),
          ...(counted && { countedAmount: counted.amount }),
          ...(note !== undefined && { note }),
          takenAmount: cash.taken,
          paidBackAmount: cash.paidBack,
          updatedAt: ctx.now(),
        },
      });
    });
    const corrected = await getClosing(ctx, closing.id);
    return opening || note !== undefined ? assertExplained(corrected) : corrected;
  });

/**
 * Checks that a note explains why the day did not start with the cash that was counted last.
 * @throws VALIDATION, reason NOTE_NEEDED.
 */
function assertExplained(closing: DailyClosing): DailyClosing {
  if (!closing.openingDifference?.amount || closing.note !== null) return closing;
  const message = 'say why the cash at the start of the day differs from the last count.';
  throw new DomainError('VALIDATION', `note: ${message}`, {
    reason: 'NOTE_NEEDED',
    fields: [{ field: 'note', message }],
  });
}

async function getClosing(ctx: Context, id: string): Promise<DailyClosing> {
  const [closing] = isUuid(id) ? await dailyClosingList.findByIds(ctx, [id]) : [];
  if (!closing) throw notFound('closing');
  return closing;
}

const rejectSecondClosing = <T>(create: () => Promise<T>): Promise<T> =>
  rejectDuplicate('This day', 'day', create).catch((error) => {
    if (!(error instanceof DomainError) || error.details.reason !== 'TAKEN') throw error;
    throw new DomainError('CONFLICT', 'This day is already closed. Correct its closing instead.', {
      reason: 'DAY_CLOSED',
    });
  });

/** A location that sells nothing yet can count in any currency. */
async function assertUsedCurrency(
  ctx: Context,
  locationId: string,
  { currency, from, to }: { currency: string; from: Date; to: Date },
): Promise<void> {
  const parameters = [locationId, from, to];
  const rows = await ctx.pipelinedSql<{ currency: string }>(FIND_CURRENCIES, parameters);
  const used = rows.map(({ currency }) => currency);
  if (used.length === 0 || used.includes(currency)) return;
  const message = `this location does not use ${currency}. Count its cash in ${used.join(' or ')}.`;
  throw new DomainError('VALIDATION', `currency: ${message}`, {
    reason: 'INVALID_INPUT',
    fields: [{ field: 'counted.currency', message }],
  });
}

function assertSameCurrency(one: Money, other: Money): void {
  if (one.currency !== other.currency)
    throw new DomainError('VALIDATION', 'Count the cash in one currency.', {
      reason: 'CURRENCY_MIXED',
      fields: ['counted.currency'],
    });
}
