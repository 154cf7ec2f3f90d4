import { z } from 'zod';
import { toCodeGuess, toSecretGuess } from '../../../auth/rate-limits.ts';
import { boundedText } from '../../../core/validation.ts';
import { builder } from '../../../graphql/builder.ts';
import { paginateFilteredField } from '../../../graphql/connections.ts';
import type { GraphqlContext } from '../../../graphql/context.ts';
import { type Admission as AdmissionValue, getAdmissionByCode } from '../portal.ts';
import { getOrder, getOrderBySecret, listOrders } from '../queries.ts';
import { ORDER_STATUSES } from '../types.ts';
import { AdmissionStatus, Order, OrderStatus } from './types.ts';

/** Counts wrong guesses of an order's secret, for every field that takes one. */
export const toOrderSecretGuess = (
  { secret }: { secret: string },
  { deps, address }: GraphqlContext,
) => toSecretGuess(deps.rateLimits, address, 'orderLink', secret);

const READ = { access: 'orders:read' } as const;

builder.queryField('order', (t) =>
  t.field({
    type: Order,
    description: 'An order, by its secret: for the page of the buyer',
    authScopes: { access: 'public' },
    args: { secret: t.arg.string({ required: true }) },
    guess: toOrderSecretGuess,
    resolve: (_, { secret }, { ctx }) => getOrderBySecret(ctx, secret),
  }),
);

builder.queryField('orderById', (t) =>
  t.field({
    type: Order,
    authScopes: READ,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => getOrder(ctx, id),
  }),
);

const OrderFilter = builder.inputType('OrderFilter', {
  fields: (t) => ({
    eventId: t.id(),
    status: t.field({ type: OrderStatus }),
    q: t.string({
      description:
        "The code of an order, a ticket or a day pass, or part of the buyer's name or email address",
    }),
  }),
});

const orderFilterSchema = z.object({
  eventId: z.uuid().optional(),
  status: z.enum(ORDER_STATUSES).optional(),
  q: boundedText(200).optional(),
});

builder.queryField('orders', (t) =>
  t.connection({
    type: Order,
    description: 'Newest first',
    authScopes: READ,
    args: { filter: t.arg({ type: OrderFilter }) },
    ...paginateFilteredField(orderFilterSchema, listOrders, ({ createdAt, id }) => [createdAt, id]),
  }),
);

const AdmittedEvent = builder.objectRef<NonNullable<AdmissionValue['event']>>('AdmittedEvent');
AdmittedEvent.implement({
  fields: (t) => ({
    slug: t.exposeString('slug'),
    title: t.exposeString('title'),
    startsAt: t.expose('startsAt', { type: 'DateTime' }),
    endsAt: t.expose('endsAt', { type: 'DateTime' }),
  }),
});

const Admission = builder.objectRef<AdmissionValue>('Admission');
Admission.implement({
  description: 'What a ticket or day pass admits its holder to',
  fields: (t) => ({
    code: t.exposeString('code'),
    status: t.expose('status', { type: AdmissionStatus }),
    holderName: t.exposeString('holderName'),
    typeName: t.exposeString('typeName'),
    event: t.expose('event', { type: AdmittedEvent, nullable: true }),
    validOn: t.expose('validOn', {
      type: 'Date',
      nullable: true,
      description: 'The date of a day pass',
    }),
    timeZone: t.exposeString('timeZone'),
    placeName: t.exposeString('placeName'),
    address: t.exposeString('address', { nullable: true }),
  }),
});

builder.queryField('admission', (t) =>
  t.field({
    type: Admission,
    description: 'A ticket or a day pass, by its code',
    authScopes: { access: 'public' },
    args: { code: t.arg.string({ required: true }) },
    guess: (_, { deps, address }) => toCodeGuess(deps.rateLimits.admissionCodes, { address }),
    resolve: (_, { code }, { ctx }) => getAdmissionByCode(ctx, code),
  }),
);
