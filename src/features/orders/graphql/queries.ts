import { toCodeGuess, toSecretGuess } from '../../../auth/guesses.ts';
import { builder } from '../../../graphql/builder.ts';
import type { GraphqlContext } from '../../../graphql/context.ts';
import { selectById } from '../../../graphql/list-fields.ts';
import { OPENING_TIMES_FIELD } from '../../spaces/graphql/opening-hours.ts';
import { getOrder, getOrderBySecret } from '../service/find-orders.ts';
import { visibleOrders } from '../service/list-orders.ts';
import { type Admission as AdmissionValue, getAdmissionByCode } from '../service/portal.ts';
import { AdmissionStatus } from './admissions.ts';
import { Order } from './types.ts';

/** Counts wrong guesses of an order's secret, for every field that takes one. */
export const toOrderSecretGuess = (
  { secret }: { secret: string },
  { deps, address }: GraphqlContext,
) => toSecretGuess(deps.rateLimits, address, 'orderLink', secret);

const READ = { access: 'orders:read' } as const;

builder.queryField('order', (t) =>
  t.field({
    type: Order,
    description: "Gets an order by its secret, for the buyer's order page",
    authScopes: { access: 'public' },
    args: {
      secret: t.arg.string({
        description: 'The long secret from the link in the emails to the buyer',
        required: true,
      }),
    },
    guess: toOrderSecretGuess,
    resolve: (_, { secret }, { ctx }) => getOrderBySecret(ctx, secret),
  }),
);

builder.queryField('orderById', (t) =>
  t.field({
    type: Order,
    description: 'Gets an order by its id, for staff and tokens',
    authScopes: READ,
    args: { id: t.arg.id({ description: 'The id of the order', required: true }) },
    extensions: { row: selectById(visibleOrders) },
    resolve: (_, { id }, { ctx }) => getOrder(ctx, id),
  }),
);

const AdmittedEvent = builder.objectRef<NonNullable<AdmissionValue['event']>>('AdmittedEvent');
AdmittedEvent.implement({
  description: 'The event that a ticket admits to',
  fields: (t) => ({
    slug: t.exposeString('slug', { description: 'The name of the event in URLs' }),
    title: t.exposeString('title', { description: 'The title of the event, as on its page' }),
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'When the event starts' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', description: 'When the event ends' }),
  }),
});

const Admission = builder.objectRef<AdmissionValue>('Admission');
Admission.implement({
  description: 'The event or location that a ticket or day pass is for',
  fields: (t) => ({
    code: t.exposeString('code', {
      description: 'The code that was looked up, as the QR code contains it',
    }),
    status: t.expose('status', {
      type: AdmissionStatus,
      description: 'Whether the code still admits someone',
    }),
    holderName: t.exposeString('holderName', { description: 'The person who is admitted' }),
    typeName: t.exposeString('typeName', {
      description: 'The name of the ticket type or the day pass type',
    }),
    event: t.expose('event', {
      type: AdmittedEvent,
      description: 'The event that a ticket admits to; null for a day pass',
      nullable: true,
    }),
    validOn: t.expose('validOn', {
      type: 'Date',
      nullable: true,
      description: 'The date of a day pass',
    }),
    timeZone: t.exposeString('timeZone', {
      description: 'IANA time zone of the location, such as Europe/Berlin',
    }),
    placeName: t.exposeString('placeName', { description: 'The name of the location' }),
    roomName: t.exposeString('roomName', {
      nullable: true,
      description: 'The room of the event; null if it has none, and for a day pass',
    }),
    openingTimes: t.expose('openingTimes', {
      ...OPENING_TIMES_FIELD,
      description:
        'When the location is open on the date of a day pass. Empty if it is closed. Null if it is always open, and for a ticket.',
    }),
    address: t.exposeString('address', {
      description: 'Where the location is; null if it has no address',
      nullable: true,
    }),
  }),
});

builder.queryField('admission', (t) =>
  t.field({
    type: Admission,
    description: 'Gets a ticket or a day pass by its code',
    authScopes: { access: 'public' },
    args: {
      code: t.arg.string({
        description: 'The code of a ticket or a day pass, as the QR code contains it',
        required: true,
      }),
    },
    guess: (_, { deps, address }) => toCodeGuess(deps.rateLimits.admissionCodes, { address }),
    resolve: (_, { code }, { ctx }) => getAdmissionByCode(ctx, code),
  }),
);
