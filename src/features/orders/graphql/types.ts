import { canReadCodes } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import { builder, Money } from '../../../graphql/builder.ts';
import type { GraphqlContext } from '../../../graphql/context.ts';
import { rowField } from '../../../graphql/list-fields.ts';
import { Node } from '../../../graphql/node.ts';
import { showFields } from '../../../graphql/row-fields.ts';
import { DayPassType } from '../../day-passes/graphql.ts';
import { visibleDayPassTypes } from '../../day-passes/service/day-pass-types.ts';
import { DiscountCode } from '../../discounts/graphql.ts';
import { discountCodeList } from '../../discounts/service.ts';
import { Event, TicketType } from '../../events/graphql/types.ts';
import { visibleEvents, visibleTicketTypes } from '../../events/service/list-events.ts';
import { Member } from '../../members/graphql/members.ts';
import { memberList } from '../../members/service/list-members.ts';
import { Location } from '../../spaces/graphql/locations.ts';
import { locationList } from '../../spaces/service/locations.ts';
import { toOrderProjection } from '../projections.ts';
import { orderRow } from '../rows.ts';
import { paymentUrl } from '../service/links.ts';
import { visibleOrders } from '../service/list-orders.ts';
import type {
  Dispute,
  OrderActions,
  OrderItem as OrderItemValue,
  Order as OrderValue,
} from '../types.ts';
import { Attendee, CODE_VISIBILITY, DayPass, Ticket } from './admissions.ts';
import { OrderedDayType, OrderedEvent } from './order-summaries.ts';

/** Codes admit people: only the buyer sees them, and callers who can admit people without a code. */
export const canSeeCodes = ({ secret }: Pick<OrderValue, 'secret'>, { viewer }: Context) =>
  secret !== null || canReadCodes(viewer, 'orders:write');

builder.enumType('OrderStatus', {
  description: 'The state of an order',
  values: {
    PENDING: { value: 'pending', description: 'Holds its tickets until it expires' },
    PAID: { value: 'paid', description: 'Confirmed. Most free orders are confirmed immediately.' },
    EXPIRED: {
      value: 'expired',
      description: 'Not paid or confirmed in time, so its seats are free again',
    },
    CANCELLED: {
      value: 'cancelled',
      description: 'Cancelled by the buyer, by staff, or with its event',
    },
  } as const,
});

const PaymentStatus = builder.enumType('PaymentStatus', {
  description: 'The state of a payment',
  values: {
    PENDING: { value: 'pending', description: 'Not paid yet' },
    PAID: { value: 'paid', description: 'Paid in full' },
    PARTIALLY_REFUNDED: {
      value: 'partially_refunded',
      description: 'Paid, and part of it was returned',
    },
    REFUNDED: { value: 'refunded', description: 'Paid, and all of it was returned' },
    NONE: { value: 'none', description: 'Nothing has been paid, and no payment is due' },
  } as const,
});

export const PaymentProvider = builder.enumType('PaymentProvider', {
  description: 'Who takes payments',
  values: {
    STRIPE: { value: 'stripe', description: 'Stripe' },
    ON_SITE: { value: 'on_site', description: 'At the front desk' },
    SANDBOX: { value: 'sandbox', description: 'Test payments; no real money is charged' },
  } as const,
});

const READ = { access: 'orders:read' } as const;
const PUBLIC = { access: 'public' } as const;

/**
 * Members can follow a field to what belongs to their own orders, which the service checks. Others need orders:read.
 */
export const authorizeOrderReader = (
  _: unknown,
  __: unknown,
  { ctx: { viewer } }: GraphqlContext,
) => (viewer.kind === 'member' ? true : READ);

/** The order of a row that has its id. */
export const toOrderField = {
  authScopes: authorizeOrderReader,
  ...rowField(visibleOrders, {
    reads: 'orderId',
    toId: ({ orderId }: { orderId: string | null }) => orderId,
    sufficientAccess: READ.access,
  }),
};

const OrderItem = builder.objectRef<OrderItemValue>('OrderItem');
OrderItem.implement({
  description: 'One line of an order',
  fields: (t) => ({
    typeName: t.exposeString('typeName', {
      description: 'The name of the ticket type or the day pass type',
    }),
    ticketTypeId: t.exposeID('ticketTypeId', {
      nullable: true,
      description: 'The id of the ticket type. Null for day passes.',
    }),
    dayPassTypeId: t.exposeID('dayPassTypeId', {
      nullable: true,
      description: 'The id of the day pass type. Null for tickets.',
    }),
    ticketType: t.field({
      type: TicketType,
      description: 'Null for day passes, and if you cannot see the event or the type',
      authScopes: PUBLIC,
      ...rowField(visibleTicketTypes, {
        reads: 'ticketTypeId',
        toId: ({ ticketTypeId }: OrderItemValue) => ticketTypeId,
      }),
    }),
    dayPassType: t.field({
      type: DayPassType,
      description: 'Null for tickets, and if you cannot see the type',
      authScopes: PUBLIC,
      ...rowField(visibleDayPassTypes, {
        reads: 'dayPassTypeId',
        toId: ({ dayPassTypeId }: OrderItemValue) => dayPassTypeId,
      }),
    }),
    validOn: t.expose('validOn', {
      type: 'Date',
      nullable: true,
      description: 'The date of day passes. Null for tickets.',
    }),
    quantity: t.exposeInt('quantity', {
      description: 'How many tickets or day passes were ordered',
    }),
    unitPrice: t.expose('unitPrice', {
      type: Money,
      description: 'The price of one, before the discount',
    }),
  }),
});

const DisputeStatusType = builder.enumType('DisputeStatus', {
  description: 'How a dispute about a payment ends',
  values: {
    OPEN: { value: 'open', description: 'The bank has not decided yet' },
    WON: { value: 'won', description: 'The money stays' },
    LOST: { value: 'lost', description: 'The bank took the money back, which is a refund' },
  } as const,
});

const DisputeType = builder.objectRef<Dispute>('Dispute');
DisputeType.implement({
  description: 'A payment that the buyer disputes with their bank',
  fields: (t) => ({
    reference: t.exposeString('reference', {
      description: "The payment provider's ID of the dispute",
    }),
    status: t.expose('status', {
      type: DisputeStatusType,
      description: 'Whether it is open, and how it ended',
    }),
    amount: t.expose('amount', {
      type: Money,
      description:
        'What the buyer wants back. A loss in another currency than that of the payment is not counted as a refund: check at the payment provider how much was returned.',
    }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: "The payment provider's word for the reason, such as fraudulent",
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the payment provider first reported it',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its end was reported; null while it is open',
    }),
  }),
});

const PaymentSummary = builder.objectRef<
  NonNullable<OrderValue['payment']> & { secret: string | null }
>('PaymentSummary');
PaymentSummary.implement({
  description: 'How an order is paid, and whether it is',
  fields: (t) => ({
    provider: t.expose('provider', {
      type: PaymentProvider,
      description: 'Who takes the payment; null until that is known',
      nullable: true,
    }),
    status: t.expose('status', {
      type: PaymentStatus,
      description: 'Whether money was paid or returned',
    }),
    url: t.string({
      nullable: true,
      description: 'The payment page. Null unless you read the order by its secret.',
      extensions: { reads: 'url' },
      resolve: ({ secret }, _, { ctx }) => (secret === null ? null : paymentUrl(ctx, secret)),
    }),
  }),
});

const OrderActionsType = builder.objectRef<OrderActions>('OrderActions');
OrderActionsType.implement({
  description: 'The actions that the buyer can still take',
  fields: (t) => ({
    pay: t.exposeBoolean('pay', { description: 'Pay the order' }),
    confirm: t.exposeBoolean('confirm', {
      description:
        'Confirm a free order or offer, or an order that is paid at the front desk, with the link in the email to the buyer',
    }),
    cancel: t.exposeBoolean('cancel', { description: 'Cancel the order or some of its tickets' }),
    refundUntil: t.expose('refundUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Buyers who cancel before this time get a refund. Null: no refunds.',
    }),
    changeAttendees: t.exposeBoolean('changeAttendees', {
      description: 'Change the names on its tickets',
    }),
  }),
});

export const Order = builder.objectRef<OrderValue>('Order');
Order.implement({
  description: 'One purchase, of tickets or of day passes',
  interfaces: [Node],
  extensions: { projection: toOrderProjection },
  fields: (t) => ({
    ...showFields(t, orderRow),
    code: t.string({
      nullable: true,
      description: `A short code for people. It admits the holder of an order's only ticket. ${CODE_VISIBILITY}`,
      extensions: { reads: 'code' },
      resolve: (order, _, { ctx }) => (canSeeCodes(order, ctx) ? order.code : null),
    }),
    secret: t.exposeString('secret', {
      nullable: true,
      description:
        'Opens the page of the order. Only for callers who place the order or already have the secret.',
    }),
    buyer: t.expose('buyer', {
      type: Attendee,
      description: 'The person who placed it and gets its emails',
    }),
    member: t.field({
      type: Member,
      description: 'The member who placed it while signed in. Null for other members.',
      authScopes: (_, __, { ctx: { viewer } }) =>
        viewer.kind === 'member' ? true : { access: 'members:read' },
      ...rowField(memberList, {
        reads: 'memberId',
        toId: ({ memberId }: OrderValue) => memberId,
        sufficientAccess: 'members:read',
      }),
    }),
    total: t.expose('total', { type: Money, description: 'After the discount' }),
    discount: t.field({
      type: Money,
      description: 'The amount that a discount code took off',
      extensions: { reads: 'discount.amount' },
      resolve: ({ discount }) => discount.amount,
    }),
    discountCodeText: t.string({
      nullable: true,
      description: 'The discount code that the buyer entered',
      extensions: { reads: 'discount.code' },
      resolve: ({ discount }) => discount.code,
    }),
    discountCode: t.field({
      type: DiscountCode,
      description: 'The discount code that the buyer entered, with its limits',
      authScopes: READ,
      ...rowField(discountCodeList, {
        reads: 'discountCodeId',
        toId: ({ discountCodeId }: OrderValue) => discountCodeId,
      }),
    }),
    paid: t.expose('paid', {
      type: Money,
      description: 'The amount that was paid, including what was refunded since',
    }),
    refundedAmount: t.expose('refunded', {
      type: Money,
      description: 'Refunded amount, including refunds that wait or have failed',
    }),
    event: t.field({
      type: Event,
      description:
        'The event of its tickets. Null for day passes, and if you cannot see the event.',
      authScopes: PUBLIC,
      ...rowField(visibleEvents, { reads: 'eventId', toId: ({ eventId }: OrderValue) => eventId }),
    }),
    location: t.field({
      type: Location,
      description:
        'Where its tickets or day passes admit, and where orders that are paid at the front desk are paid',
      authScopes: PUBLIC,
      ...rowField(locationList, {
        reads: 'locationId',
        toId: ({ locationId }: OrderValue) => locationId,
      }),
    }),
    eventSummary: t.expose('event', {
      type: OrderedEvent,
      nullable: true,
      extensions: { reads: 'event' },
      description: 'What everyone with this order sees of the event. Null for day passes.',
    }),
    daySummary: t.expose('day', {
      type: OrderedDayType,
      nullable: true,
      extensions: { reads: 'day' },
      description: 'The location of day passes on their date. Null for tickets.',
    }),
    items: t.expose('items', {
      type: [OrderItem],
      description: 'What was ordered, and at which price',
    }),
    disputes: t.expose('disputes', {
      type: [DisputeType],
      description: 'The disputes about its payments, oldest first',
      authScopes: READ,
    }),
    tickets: t.field({
      type: [Ticket],
      description: 'The issued tickets, without held ones',
      extensions: { reads: 'tickets' },
      resolve: ({ secret, tickets }) =>
        tickets.map((ticket) => ({ ...ticket, hasSecret: secret !== null })),
    }),
    dayPasses: t.field({
      type: [DayPass],
      description: 'The issued day passes, without held ones',
      extensions: { reads: 'dayPasses' },
      resolve: ({ secret, dayPasses }) =>
        dayPasses.map((pass) => ({ ...pass, hasSecret: secret !== null })),
    }),
    payment: t.field({
      type: PaymentSummary,
      nullable: true,
      description: 'Null if there is nothing to pay',
      extensions: { reads: 'payment' },
      resolve: ({ payment, secret }) => payment && { ...payment, secret },
    }),
    isOffer: t.exposeBoolean('isOffer', {
      description:
        'Whether it is an offer of a waiting list, which the person accepts by paying or confirming it',
    }),
    paymentInProgress: t.exposeBoolean('paymentInProgress', {
      description:
        'Whether the buyer has paid in a way that takes days, such as by direct debit, and the money has not arrived yet. The order is still `PENDING`.',
    }),
    confirmationRequired: t.exposeBoolean('confirmationRequired', {
      description:
        'Whether the buyer still has to confirm this order with the link in the email: a free order, or one that is then held until confirmedHoldUntil. Until the buyer confirms it, its seats are held until expiresAt.',
    }),
    allowedActions: t.expose('allowedActions', {
      type: OrderActionsType,
      description: 'What the buyer can still do with it',
    }),
  }),
});

builder.objectField(Ticket, 'order', (t) =>
  t.field({ type: Order, description: 'The order it belongs to', ...toOrderField }),
);

builder.objectField(DayPass, 'order', (t) =>
  t.field({ type: Order, description: 'The order it belongs to', ...toOrderField }),
);
