import { canReadCodes } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import { builder, Money } from '../../../graphql/builder.ts';
import type { GraphqlContext } from '../../../graphql/context.ts';
import { rowField } from '../../../graphql/list-fields.ts';
import { Node } from '../../../graphql/node.ts';
import { showFields } from '../../../graphql/row-fields.ts';
import { DayPassType } from '../../day-passes/graphql.ts';
import { visibleDayPassTypes } from '../../day-passes/service/day-pass-types.ts';
import { Event, TicketType } from '../../events/graphql/types.ts';
import { visibleEvents, visibleTicketTypes } from '../../events/service/list-events.ts';
import { Location } from '../../spaces/graphql/locations.ts';
import { toDayPassProjection, toTicketProjection } from '../projections.ts';
import { dayPassRow, ticketRow } from '../rows.ts';
import { renderQrDataUrl } from '../service/portal.ts';
import type { DayPass as DayPassValue, Person, Ticket as TicketValue } from '../types.ts';

const PUBLIC = { access: 'public' } as const;

export const CODE_VISIBILITY =
  'Null for callers with neither orders:write nor check-ins:write, unless they hold the secret.';

export const AdmissionStatus = builder.enumType('AdmissionStatus', {
  description: 'Whether a ticket or a day pass admits its holder',
  values: {
    VALID: { value: 'valid', description: 'Admits its holder' },
    CANCELLED: { value: 'cancelled', description: 'Cancelled, so it no longer admits anyone' },
  } as const,
});

export const Attendee = builder.objectRef<Person>('Attendee');
Attendee.implement({
  description: 'A person who buys, holds or uses a ticket or a day pass',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The full name' }),
    email: t.exposeString('email', {
      description: 'The email address; null if it is unknown, or if the caller cannot see it',
      nullable: true,
    }),
  }),
});

type Shown<Admission> = Admission & {
  /** Whether the viewer reads the order by its secret. */
  hasSecret?: boolean;
};

const showsCode = ({ hasSecret }: Shown<object>, { viewer }: Context) =>
  hasSecret === true || canReadCodes(viewer, 'orders:write');

/** The options of the fields that tickets and day passes share. */
const SHARED_FIELDS = {
  code: {
    nullable: true as const,
    description: `The content of the QR code. ${CODE_VISIBILITY}`,
    extensions: { reads: 'code' },
    resolve: (admission: Shown<{ code: string }>, _: unknown, { ctx }: GraphqlContext) =>
      showsCode(admission, ctx) ? admission.code : null,
  },
  qr: {
    nullable: true as const,
    description: `The QR code, as a data URL of an SVG image. ${CODE_VISIBILITY}`,
    resolve: (admission: Shown<{ code: string }>, _: unknown, { ctx }: GraphqlContext) =>
      showsCode(admission, ctx) ? renderQrDataUrl(admission.code) : null,
  },
  price: { type: Money, description: 'The price, after its share of the discount' },
  isDisputed: {
    description: 'Whether the buyer disputes the payment of its order with their bank',
  },
};

export const Ticket = builder.objectRef<Shown<TicketValue>>('Ticket');
Ticket.implement({
  description: 'One admission to an event',
  interfaces: [Node],
  extensions: { projection: toTicketProjection },
  fields: (t) => ({
    ...showFields(t, ticketRow),
    code: t.string(SHARED_FIELDS.code),
    qr: t.string(SHARED_FIELDS.qr),
    attendee: t.expose('attendee', { type: Attendee, description: 'The person it admits' }),
    typeName: t.string({
      description: 'The name of its type',
      extensions: { reads: 'ticketType.name' },
      resolve: ({ ticketType }) => ticketType.name,
    }),
    ticketType: t.field({
      type: TicketType,
      description:
        'Its type. Null if you cannot see the event, or if you see only types for sale and this one is not.',
      authScopes: PUBLIC,
      ...rowField(visibleTicketTypes, {
        reads: 'ticketType.id',
        toId: ({ ticketType }: TicketValue) => ticketType.id,
      }),
    }),
    event: t.field({
      type: Event,
      description: 'The event it admits to. Null if you cannot see the event.',
      authScopes: PUBLIC,
      ...rowField(visibleEvents, { reads: 'event.id', toId: ({ event }: TicketValue) => event.id }),
    }),
    price: t.expose('price', SHARED_FIELDS.price),
    isDisputed: t.exposeBoolean('isDisputed', SHARED_FIELDS.isDisputed),
  }),
});

export const DayPass = builder.objectRef<Shown<DayPassValue>>('DayPass');
DayPass.implement({
  description: 'One admission to a location on one date',
  interfaces: [Node],
  extensions: { projection: toDayPassProjection },
  fields: (t) => ({
    ...showFields(t, dayPassRow),
    code: t.string(SHARED_FIELDS.code),
    qr: t.string(SHARED_FIELDS.qr),
    holder: t.expose('holder', { type: Attendee, description: 'The person it admits' }),
    typeName: t.string({
      description: 'The name of its type',
      extensions: { reads: 'dayPassType.name' },
      resolve: ({ dayPassType }) => dayPassType.name,
    }),
    dayPassType: t.field({
      type: DayPassType,
      description: 'Its type. Null if you see only types for sale and this one is not.',
      authScopes: PUBLIC,
      ...rowField(visibleDayPassTypes, {
        reads: 'dayPassType.id',
        toId: ({ dayPassType }: DayPassValue) => dayPassType.id,
      }),
    }),
    location: t.expose('location', { type: Location, description: 'The location it admits to' }),
    locationName: t.string({
      description: 'The name of its location',
      extensions: { reads: 'locationName' },
      resolve: ({ location }) => location.name,
    }),
    price: t.expose('price', SHARED_FIELDS.price),
    isDisputed: t.exposeBoolean('isDisputed', SHARED_FIELDS.isDisputed),
  }),
});
