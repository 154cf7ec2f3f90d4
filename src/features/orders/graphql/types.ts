import { canReadCodes } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import { builder, Money } from '../../../graphql/builder.ts';
import { EventStatus } from '../../events/graphql/events.ts';
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
  'Null for callers with neither orders:write nor check-ins:write, unless they hold the secret.';

/** Codes admit people: only the buyer sees them, and callers who can admit people without a code. */
export const canSeeCodes = ({ secret }: OrderValue, { viewer }: Context) =>
  secret !== null || canReadCodes(viewer, 'orders:write');

export const OrderStatus = builder.enumType('OrderStatus', {
  values: {
    PENDING: { value: 'pending', description: 'Holds its tickets until it expires' },
    PAID: { value: 'paid', description: 'Confirmed. Most free orders are confirmed at once.' },
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
    NONE: { value: 'none', description: 'Nothing was paid, and nothing is due' },
  } as const,
});

export const AdmissionStatus = builder.enumType('AdmissionStatus', {
  values: { VALID: { value: 'valid' }, CANCELLED: { value: 'cancelled' } } as const,
});

export const PaymentProvider = builder.enumType('PaymentProvider', {
  values: {
    STRIPE: { value: 'stripe' },
    ON_SITE: { value: 'on_site', description: 'At the front desk' },
    SANDBOX: { value: 'sandbox', description: 'No real money moves' },
  } as const,
});

const Attendee = builder.objectRef<PersonValue>('Attendee');
Attendee.implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    email: t.exposeString('email', { nullable: true }),
  }),
});

const ResourceRef = builder.objectRef<{ id: string; name: string }>('ResourceRef');
ResourceRef.implement({ fields: (t) => ({ id: t.exposeID('id'), name: t.exposeString('name') }) });

const OrderedEvent = builder.objectRef<NonNullable<OrderValue['event']>>('OrderedEvent');
OrderedEvent.implement({
  description: 'The event of an order, as ticket holders see it',
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

const QR_CONTENT = `The content of the QR code. ${CODE_VISIBILITY}`;
const QR_IMAGE = `The QR code, as a data URL of an SVG image. ${CODE_VISIBILITY}`;
const PRICE = 'The price, after its share of the discount';

const Ticket = builder.objectRef<TicketValue & { showsCode: boolean }>('Ticket');
Ticket.implement({
  description: 'One admission to an event',
  fields: (t) => ({
    id: t.exposeID('id'),
    code: t.string({
      nullable: true,
      description: QR_CONTENT,
      resolve: ({ code, showsCode }) => (showsCode ? code : null),
    }),
    qr: t.string({
      nullable: true,
      description: QR_IMAGE,
      resolve: ({ code, showsCode }) => (showsCode ? renderQrDataUrl(code) : null),
    }),
    status: t.expose('status', { type: AdmissionStatus }),
    attendee: t.expose('attendee', { type: Attendee }),
    ticketType: t.expose('ticketType', { type: ResourceRef }),
    price: t.expose('price', { type: Money, description: PRICE }),
  }),
});

const DayPass = builder.objectRef<DayPassValue & { showsCode: boolean }>('DayPass');
DayPass.implement({
  description: 'One admission to a location on one date',
  fields: (t) => ({
    id: t.exposeID('id'),
    code: t.string({
      nullable: true,
      description: QR_CONTENT,
      resolve: ({ code, showsCode }) => (showsCode ? code : null),
    }),
    qr: t.string({
      nullable: true,
      description: QR_IMAGE,
      resolve: ({ code, showsCode }) => (showsCode ? renderQrDataUrl(code) : null),
    }),
    status: t.expose('status', { type: AdmissionStatus }),
    validOn: t.expose('validOn', { type: 'Date' }),
    holder: t.expose('holder', { type: Attendee }),
    dayPassType: t.expose('dayPassType', { type: ResourceRef }),
    locationName: t.string({ resolve: ({ location }) => location.name }),
    price: t.expose('price', { type: Money, description: PRICE }),
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
      description: 'The page where the buyer pays. Null unless you read the order by its secret.',
      resolve: ({ secret }, _, { ctx }) => (secret === null ? null : paymentUrl(ctx, secret)),
    }),
  }),
});

const OrderActionsType = builder.objectRef<OrderActions>('OrderActions');
OrderActionsType.implement({
  description: 'What the buyer can still do',
  fields: (t) => ({
    pay: t.exposeBoolean('pay'),
    confirm: t.exposeBoolean('confirm', {
      description: 'Confirm a free order or offer. Needs the link in the email to the buyer.',
    }),
    cancel: t.exposeBoolean('cancel'),
    refundUntil: t.expose('refundUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'The end of the time in which cancelling refunds the buyer. Null: no refunds.',
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
      description: `A short code for people. It admits the holder of an order's only ticket. ${CODE_VISIBILITY}`,
      resolve: (order, _, { ctx }) => (canSeeCodes(order, ctx) ? order.code : null),
    }),
    secret: t.exposeString('secret', {
      nullable: true,
      description:
        'Opens the page of the order. Only for callers who place the order or already have the secret.',
    }),
    status: t.expose('status', { type: OrderStatus }),
    buyer: t.expose('buyer', { type: Attendee }),
    memberId: t.exposeID('memberId', { nullable: true }),
    total: t.expose('total', { type: Money, description: 'After the discount' }),
    discount: t.field({ type: Money, resolve: ({ discount }) => discount.amount }),
    discountCode: t.string({ nullable: true, resolve: ({ discount }) => discount.code }),
    paid: t.expose('paid', { type: Money }),
    refundedAmount: t.expose('refunded', {
      type: Money,
      description: 'Refunded, or about to be',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
    paidAt: t.expose('paidAt', { type: 'DateTime', nullable: true }),
    cancelledAt: t.expose('cancelledAt', { type: 'DateTime', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    event: t.expose('event', { type: OrderedEvent, nullable: true }),
    items: t.expose('items', { type: [OrderItem] }),
    tickets: t.field({
      type: [Ticket],
      description: 'The issued tickets; holds are not listed',
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
    confirmationRequired: t.exposeBoolean('confirmationRequired', {
      description:
        'Whether this free order still waits for the buyer to open the link in the email. It holds its places until expiresAt.',
    }),
    allowedActions: t.expose('allowedActions', { type: OrderActionsType }),
  }),
});
