import { builder, createInputType, Money, MoneySum, withArgs } from '../../graphql/builder.ts';
import { getOrderEnum, listField, rowField } from '../../graphql/list-fields.ts';
import { addMutation } from '../../graphql/mutation.ts';
import { Node, type NodeExtension } from '../../graphql/node.ts';
import { withCost } from '../../graphql/query-cost.ts';
import { addActions } from '../../graphql/row-actions.ts';
import { showFields } from '../../graphql/row-fields.ts';
import { PaymentMethod } from '../payments/graphql/payments.ts';
import { Location } from '../spaces/graphql/locations.ts';
import { locationList } from '../spaces/service/locations.ts';
import {
  cashDayArgs,
  closeDayInput,
  correctDailyClosingInput,
  dailyClosingFilter,
  takingsArgs,
} from './inputs.ts';
import { dailyClosingRow } from './rows.ts';
import {
  type CashDay as CashDayValue,
  closeDay,
  correctDailyClosing,
  type DailyClosing as DailyClosingValue,
  dailyClosingActions,
  dailyClosingList,
  getCashDay,
  toDailyClosingProjection,
} from './service/closings.ts';
import { sumTakings, type TakingsSum, type Takings as TakingsValue } from './service/takings.ts';

const READ = { access: 'orders:read' } as const;

const SoldKind = builder.enumType('SoldKind', {
  description: 'What money was paid for',
  values: {
    TICKETS: { value: 'tickets', description: 'Tickets of events' },
    DAY_PASSES: { value: 'day_passes', description: 'Day passes' },
    BOOKINGS: { value: 'bookings', description: 'Bookings of resources' },
  } as const,
});

const sumFields = <Value extends TakingsSum>(
  t: PothosSchemaTypes.ObjectFieldBuilder<typeof builder.$inferSchemaTypes, Value>,
) => ({
  taken: t.field({ type: MoneySum, description: 'What was received', resolve: (sum) => sum.taken }),
  paidBack: t.field({
    type: MoneySum,
    description: 'What was returned',
    resolve: (sum) => sum.paidBack,
  }),
  net: t.field({
    type: MoneySum,
    description: 'Received minus returned; negative if more was returned',
    resolve: (sum) => sum.net,
  }),
  paymentCount: t.int({
    description: 'How many payments were received',
    resolve: (sum) => sum.paymentCount,
  }),
  refundCount: t.int({
    description: 'How many refunds were paid out',
    resolve: (sum) => sum.refundCount,
  }),
});

const Sum = builder.objectRef<TakingsSum>('TakingsSum').implement({
  description: 'Payments and refunds, added up',
  fields: sumFields,
});

const SumByMethod = builder
  .objectRef<TakingsValue['byMethod'][number]>('TakingsByMethod')
  .implement({
    description: 'Payments and refunds of one method, added up',
    fields: (t) => ({
      method: t.expose('method', {
        type: PaymentMethod,
        description: 'How it was paid or returned',
      }),
      ...sumFields(t),
    }),
  });

const SumBySold = builder.objectRef<TakingsValue['bySold'][number]>('TakingsBySold').implement({
  description: 'Payments and refunds for one kind of product, added up',
  fields: (t) => ({
    sold: t.expose('sold', { type: SoldKind, description: 'What was paid for' }),
    ...sumFields(t),
  }),
});

const Takings = builder.objectRef<TakingsValue>('Takings').implement({
  description: 'What a location took and paid back in one currency',
  fields: (t) => ({
    total: t.expose('total', { type: Sum, description: 'All of it' }),
    byMethod: t.expose('byMethod', {
      type: [SumByMethod],
      description: 'By how it was paid or returned; only methods that occur',
      ...withCost({ items: 4 }),
    }),
    bySold: t.expose('bySold', {
      type: [SumBySold],
      description: 'By what was sold; only kinds that occur',
      ...withCost({ items: 3 }),
    }),
  }),
});

/** Adding up a year of payments costs about as much as a few pages of a list. */
const TAKINGS_POINTS = 100;

builder.queryField('takings', (t) =>
  t.field({
    type: [Takings],
    description:
      'Adds up the payments and refunds of a location by the days on which the money was received or returned: one result for each currency, none if there are none',
    authScopes: READ,
    ...withCost({ points: TAKINGS_POINTS, items: 2 }),
    ...withArgs(takingsArgs, (args, { ctx }) => sumTakings(ctx, args)),
  }),
);

const DailyClosing = builder.objectRef<DailyClosingValue>('DailyClosing');
DailyClosing.implement({
  description: 'The count of the cash of one day at one location',
  interfaces: [Node],
  extensions: {
    projection: toDailyClosingProjection,
    // Programs that follow the journal read closings by id, as over REST.
    node: { rows: dailyClosingList, access: ['staff:manage', '*'] } satisfies NodeExtension,
  },
  fields: (t) => ({
    ...showFields(t, dailyClosingRow),
    location: t.field({
      type: Location,
      description: 'Where the cash was counted',
      authScopes: READ,
      ...rowField(locationList, {
        reads: 'locationId',
        toId: ({ locationId }: DailyClosingValue) => locationId,
      }),
    }),
    opening: t.expose('opening', { type: Money, description: 'The cash at the start of the day' }),
    openingDifference: t.expose('openingDifference', {
      type: Money,
      nullable: true,
      description:
        'The opening amount minus the cash that was counted last before this day, as recorded now; negative if cash is missing. Null if none was counted before. A note says why it is not 0.',
    }),
    taken: t.expose('taken', {
      type: Money,
      description: 'The cash received that day, as recorded when it was closed or last corrected',
    }),
    paidBack: t.expose('paidBack', {
      type: Money,
      description: 'The cash returned that day, as recorded when it was closed or last corrected',
    }),
    expected: t.expose('expected', {
      type: Money,
      description: 'The opening amount, plus what was taken, minus what was paid back',
    }),
    counted: t.expose('counted', { type: Money, description: 'The cash at the end of the day' }),
    difference: t.expose('difference', {
      type: Money,
      description: 'Counted minus expected; negative if cash is missing',
    }),
    changedSince: t.expose('changedSince', {
      type: Money,
      description:
        'How much the recorded cash of the day has changed since it was closed or last corrected. Not 0: a payment was recorded, returned or undone afterwards.',
    }),
  }),
});

addActions(DailyClosing, {
  type: 'DailyClosingActions',
  noun: 'a daily closing',
  rules: dailyClosingActions,
  actions: { correct: 'Correct it with correctDailyClosing' },
});

const DailyClosingFilter = createInputType('DailyClosingFilter', dailyClosingFilter);
const DailyClosingOrder = getOrderEnum('DailyClosing', dailyClosingList);

builder.queryField('dailyClosings', (t) =>
  t.connection({
    type: DailyClosing,
    description: 'Daily closings, latest day first',
    authScopes: { access: 'staff:manage' },
    args: {
      filter: t.arg({ type: DailyClosingFilter, description: 'Which closings to list' }),
      orderBy: t.arg({ type: DailyClosingOrder }),
    },
    ...listField(dailyClosingList),
  }),
);

const CashDay = builder.objectRef<CashDayValue>('CashDay').implement({
  description: 'The cash of one day at one location, to count it',
  fields: (t) => ({
    day: t.expose('day', { type: 'Date', description: 'In the time zone of the location' }),
    proposedOpening: t.expose('proposedOpening', {
      type: Money,
      nullable: true,
      description: 'The cash that was counted last before this day; null if no day was closed yet',
    }),
    taken: t.expose('taken', { type: Money, description: 'The cash received, as recorded now' }),
    paidBack: t.expose('paidBack', {
      type: Money,
      description: 'The cash returned, as recorded now',
    }),
    closing: t.expose('closing', {
      type: DailyClosing,
      nullable: true,
      description: 'The closing of the day; null if it is not closed',
    }),
    canClose: t.exposeBoolean('canClose', {
      description: 'Whether closeDay would accept the day: it has begun and is not closed',
    }),
  }),
});

builder.queryField('cashDay', (t) =>
  t.field({
    type: CashDay,
    description: 'Gets the cash of a day at a location, and its closing',
    authScopes: READ,
    ...withArgs(cashDayArgs, (args, { ctx }) => getCashDay(ctx, args)),
  }),
);

addMutation('closeDay', {
  description:
    'Records the cash that was counted at the end of a day. Each day is closed once. If the opening amount differs from the last count, a note must say why.',
  access: 'orders:write',
  input: closeDayInput,
  payload: { dailyClosing: { type: DailyClosing, description: 'The new closing' } },
  creates: { dailyClosing: dailyClosingList },
  resolve: async (input, { ctx }) => ({ dailyClosing: await closeDay(ctx, input) }),
});

addMutation('correctDailyClosing', {
  description:
    'Corrects a closing and takes over the cash of its day as recorded now. The audit log keeps the earlier figures.',
  access: 'staff:manage',
  input: correctDailyClosingInput,
  takesVersion: true,
  payload: { dailyClosing: { type: DailyClosing, description: 'The corrected closing' } },
  resolve: async (input, { ctx }) => ({ dailyClosing: await correctDailyClosing(ctx, input) }),
});
