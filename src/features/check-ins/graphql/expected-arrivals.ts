import { builder } from '../../../graphql/builder.ts';
import { withCost } from '../../../graphql/query-cost.ts';
import {
  type ExpectedArrival as ExpectedArrivalValue,
  listExpectedArrivals,
} from '../service/expected-arrivals.ts';

const ArrivalKind = builder.enumType('ArrivalKind', {
  description: 'Why someone is expected',
  values: {
    BOOKING: { value: 'booking', description: 'A confirmed booking that is not over' },
    DAY_PASS: { value: 'day_pass', description: 'A day pass for today' },
    TICKET: { value: 'ticket', description: 'A ticket of an event of today' },
  } as const,
});

const ExpectedArrival = builder.objectRef<ExpectedArrivalValue>('ExpectedArrival').implement({
  description: 'Someone with a booking, a day pass or a ticket today who is not in',
  fields: (t) => ({
    kind: t.expose('kind', { type: ArrivalKind, description: 'Why they are expected' }),
    id: t.exposeID('id', { description: 'The id of the booking, the day pass or the ticket' }),
    name: t.exposeString('name', { description: 'Their name' }),
    what: t.exposeString('what', {
      description: 'The resource, the type of the day pass, or the event',
    }),
    startsAt: t.expose('startsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it starts; null for day passes, which are for the whole day',
    }),
    locationId: t.exposeID('locationId', { description: 'Where they are expected' }),
    locationName: t.exposeString('locationName', { description: 'The name of the location' }),
    timeZone: t.exposeString('timeZone', { description: 'The time zone of the location' }),
  }),
});

const MAX_ITEMS = 200;

builder.queryField('expectedArrivals', (t) =>
  t.field({
    type: [ExpectedArrival],
    description:
      'Who is expected today and not in: the holders of bookings, day passes and tickets. Day passes come first, then by start. At most 200.',
    authScopes: { access: 'check-ins:read' },
    args: { locationId: t.arg.id({ description: 'Only at this location. Default: at all.' }) },
    ...withCost({ items: MAX_ITEMS }),
    resolve: (_, { locationId }, { ctx }) => listExpectedArrivals(ctx, locationId ?? null),
  }),
);
