import { builder } from '../../../graphql/builder.ts';
import { EventStatus } from '../../events/graphql/types.ts';
import { OPENING_TIMES_FIELD } from '../../spaces/graphql/opening-hours.ts';
import type { Order, OrderedDay } from '../types.ts';

export const OrderedEvent = builder.objectRef<NonNullable<Order['event']>>('OrderedEvent');
OrderedEvent.implement({
  description:
    'What everyone with an order sees of its event, even if they cannot see the event itself',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Identifies the event in both APIs' }),
    slug: t.exposeString('slug', { description: 'The name of the event in URLs' }),
    title: t.exposeString('title', { description: 'The title of the event' }),
    status: t.expose('status', { type: EventStatus, description: 'Whether the event takes place' }),
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'When the event starts' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', description: 'When the event ends' }),
    timeZone: t.exposeString('timeZone', {
      description: 'IANA time zone of the location, such as Europe/Berlin',
    }),
    locationName: t.string({
      description: 'The name of the location',
      extensions: { reads: 'location.name' },
      resolve: ({ location }) => location.name,
    }),
    roomId: t.exposeID('roomId', {
      nullable: true,
      description: 'The id of the room it takes place in; null if it has none',
    }),
    roomName: t.exposeString('roomName', {
      nullable: true,
      description: 'The name of the room it takes place in; null if it has none',
    }),
    address: t.string({
      description: 'The address of the location; null if it has none',
      nullable: true,
      extensions: { reads: 'location.address' },
      resolve: ({ location }) => location.address,
    }),
    refundHours: t.exposeInt('refundHours', {
      description:
        'Hours before the start until which buyers can cancel for a refund; null: no refunds',
      nullable: true,
    }),
  }),
});

export const OrderedDayType = builder.objectRef<OrderedDay>('OrderedDay');
OrderedDayType.implement({
  description: 'Where and when the day passes of an order admit',
  fields: (t) => ({
    locationName: t.exposeString('locationName', { description: 'The name of the location' }),
    address: t.exposeString('address', {
      nullable: true,
      description: 'The address of the location; null if it has none',
    }),
    timeZone: t.exposeString('timeZone', {
      description: 'IANA time zone of the location, such as Europe/Berlin',
    }),
    openingTimes: t.expose('openingTimes', OPENING_TIMES_FIELD),
  }),
});
