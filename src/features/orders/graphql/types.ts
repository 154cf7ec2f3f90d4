import { canReadCodes } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import { builder, Money } from '../../../graphql/builder.ts';
import { EventStatus } from '../../events/graphql/events.ts';
import { PaymentProvider, RefundType } from '../../payments/graphql.ts';
import { paymentUrl } from '../links.ts';
import { renderQrDataUrl } from '../portal.ts';
import type {
  DayPass as DayPassValue,
  OrderActions,
  OrderItem as OrderItemValue,
  Order as OrderValue,
  Person as PersonValue,
  Ticket as TicketValue,
} from '../types.ts';

const CODE_VISIBILITY =
  'null for callers with neither orders:write nor check-ins:write, but for the holder of the secret';

/** Codes admit people: the buyer sees them, and who may do without them what they are for. */
const canSeeCodes = ({ secret }: OrderValue, { viewer }: Context) =>
  secret !== null || canReadCodes(viewer, 'orders:write');

export const OrderStatus = builder.enumType('OrderStatus', {
  values: {
    PENDING: { value: 'pending', description: 'Holds its tickets until it expires' },
    PAID: { value: 'paid', description: 'Confirmed; most free ones are so at once' },
    EXPIRED: { value: 'expired' },
    CANCELLED: { value: 'cancelled' },
  } as const,
});

const PaymentStatus = builder.enumType('PaymentStatus', {
  values: {
    PENDING: { value: 'pending' },
    PAID: { value: 'paid' },
    PARTIALLY_REFUNDED: { value: 'partially_refunded' },
    REFUNDED: { value: 'refunded' },
    NONE: { value: 'none', description: 'Nothing was paid, and nothing will be' },
  } as const,
});

export const AdmissionStatus = builder.enumType('AdmissionStatus', {
  values: { VALID: { value: 'valid' }, CANCELLED: { value: 'cancelled' } } as const,
});

const Attendee = builder.objectRef<PersonValue>('Attendee');
Attendee.implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    email: t.exposeString('email', { nullable: true }),
  }),
});

const ResourceRef = builder.objectRef<{ id: string; name: string }>('Named');
ResourceRef.implement({ fields: (t) => ({ id: t.exposeID('id'), name: t.exposeString('name') }) });

const OrderedEvent = builder.objectRef<NonNullable<OrderValue['event']>>('OrderedEvent');
OrderedEvent.implement({
  description: 'What tickets are for, as their holders may know it',
  fields: (t) => ({
    id: t.exposeID('id'),
    slug: t.exposeString('slug'),
    title: t.exposeString('title'),
    status: t.expose('status', { type: EventStatus }),
    startsAt: t.expose('startsAt', { type: 'DateTime' }),
    endsAt: t.expose('endsAt', { type: 'DateTime' }),
    timeZone: t.exposeString('timeZone'),
    locationName: t.string({ resolve: ({ location }) => location.name }),
    address: t.string({ nullable: true, resolve: ({ location }) => location.address }),
    refundHours: t.exposeInt('refundHours', { nullable: true }),
  }),
});

const Ticket = builder.objectRef<TicketValue & { showsCode: boolean }>('Ticket');
Ticket.implement({
  description: 'One admission to an event',
  fields: (t) => ({
    id: t.exposeID('id'),
    code: t.string({
      nullable: true,
      description: `What its QR code says; ${CODE_VISIBILITY}`,
      resolve: ({ code, showsCode }) => (showsCode ? code : null),
    }),
    qr: t.string({
      nullable: true,
      description: `Its QR code, as the address of a picture; ${CODE_VISIBILITY}`,
      resolve: ({ code, showsCode }) => (showsCode ? renderQrDataUrl(code) : null),
    }),
    status: t.expose('status', { type: AdmissionStatus }),
    attendee: t.expose('attendee', { type: Attendee }),
    ticketType: t.expose('ticketType', { type: ResourceRef }),
    price: t.expose('price', { type: Money, description: 'Its share of the discount taken off' }),
  }),
});

const DayPass = builder.objectRef<DayPassValue & { showsCode: boolean }>('DayPass');
DayPass.implement({
  description: 'Lets one person in at a location on one date',
  fields: (t) => ({
    id: t.exposeID('id'),
    code: t.string({
      nullable: true,
      description: `What its QR code says; ${CODE_VISIBILITY}`,
      resolve: ({ code, showsCode }) => (showsCode ? code : null),
    }),
    qr: t.string({
      nullable: true,
      description: `Its QR code, as the address of a picture; ${CODE_VISIBILITY}`,
      resolve: ({ code, showsCode }) => (showsCode ? renderQrDataUrl(code) : null),
    }),
    status: t.expose('status', { type: AdmissionStatus }),
    validOn: t.expose('validOn', { type: 'Date' }),
    holder: t.expose('holder', { type: Attendee }),
    dayPassType: t.expose('dayPassType', { type: ResourceRef }),
    locationName: t.string({ resolve: ({ location }) => location.name }),
    price: t.expose('price', { type: Money, description: 'Its share of the discount taken off' }),
  }),
});

const OrderItem = builder.objectRef<OrderItemValue>('OrderItem');
OrderItem.implement({
  fields: (t) => ({
    ticketType: t.expose('ticketType', { type: ResourceRef, nullable: true }),
    dayPassType: t.expose('dayPassType', { type: ResourceRef, nullable: true }),
    validOn: t.expose('validOn', { type: 'Date', nullable: true }),
    quantity: t.exposeInt('quantity'),
    unitPrice: t.expose('unitPrice', { type: Money }),
  }),
});

const Payment = builder.objectRef<NonNullable<OrderValue['payment']> & { secret: string | null }>(
  'Payment',
);
Payment.implement({
  fields: (t) => ({
    provider: t.expose('provider', { type: PaymentProvider, nullable: true }),
    status: t.expose('status', { type: PaymentStatus }),
    url: t.string({
      nullable: true,
      description: "Where the buyer pays; null where the order's secret is not known",
      resolve: ({ secret }, _, { ctx }) => (secret === null ? null : paymentUrl(ctx, secret)),
    }),
  }),
});

const OrderActionsType = builder.objectRef<OrderActions>('OrderPossibilities');
OrderActionsType.implement({
  description: 'What its buyer may still do',
  fields: (t) => ({
    pay: t.exposeBoolean('pay'),
    confirm: t.exposeBoolean('confirm', {
      description: 'A free order or offer, for whoever has the link that was mailed',
    }),
    cancel: t.exposeBoolean('cancel'),
    refundUntil: t.expose('refundUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when cancelling gives the money back; null where it never does',
    }),
    changeAttendees: t.exposeBoolean('changeAttendees'),
  }),
});

export const Order = builder.objectRef<OrderValue>('Order');
Order.implement({
  description: 'One purchase, of tickets or of day passes',
  fields: (t) => ({
    id: t.exposeID('id'),
    code: t.string({
      nullable: true,
      description: `Short, for people. It admits the holder of its only ticket, so it is ${CODE_VISIBILITY}`,
      resolve: (order, _, { ctx }) => (canSeeCodes(order, ctx) ? order.code : null),
    }),
    secret: t.exposeString('secret', {
      nullable: true,
      description: 'Opens its page; only to who placed the order or holds it',
    }),
    status: t.expose('status', { type: OrderStatus }),
    buyer: t.expose('buyer', { type: Attendee }),
    memberId: t.exposeID('memberId', { nullable: true }),
    total: t.expose('total', { type: Money, description: 'The discount taken off' }),
    discount: t.field({ type: Money, resolve: ({ discount }) => discount.amount }),
    discountCode: t.string({ nullable: true, resolve: ({ discount }) => discount.code }),
    paid: t.expose('paid', { type: Money }),
    refundedAmount: t.expose('refunded', {
      type: Money,
      description: 'Given back, or about to be',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
    paidAt: t.expose('paidAt', { type: 'DateTime', nullable: true }),
    cancelledAt: t.expose('cancelledAt', { type: 'DateTime', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    event: t.expose('event', { type: OrderedEvent, nullable: true }),
    items: t.expose('items', { type: [OrderItem] }),
    tickets: t.field({
      type: [Ticket],
      description: 'Those that have been issued',
      resolve: (order, _, { ctx }) =>
        order.tickets.map((ticket) => ({ ...ticket, showsCode: canSeeCodes(order, ctx) })),
    }),
    dayPasses: t.field({
      type: [DayPass],
      resolve: (order, _, { ctx }) =>
        order.dayPasses.map((pass) => ({ ...pass, showsCode: canSeeCodes(order, ctx) })),
    }),
    payment: t.field({
      type: Payment,
      nullable: true,
      description: 'Null where there is nothing to pay',
      resolve: ({ payment, secret }) => payment && { ...payment, secret },
    }),
    refunds: t.field({
      type: [RefundType],
      complexity: { field: 2 },
      resolve: async (order, _, { ctx, loaders }) =>
        (await loaders.refundsByOrder.load(order.id)).map((refund) => ({
          ...refund,
          showsOrderCode: canSeeCodes(order, ctx),
        })),
    }),
    confirmationRequired: t.exposeBoolean('confirmationRequired', {
      description:
        'A free order that holds its places until expiresAt: the link in the mail to the buyer confirms it',
    }),
    may: t.expose('may', { type: OrderActionsType }),
  }),
});
