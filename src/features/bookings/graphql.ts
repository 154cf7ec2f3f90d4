import './availability/graphql.ts';
import './changes/graphql.ts';
import './decisions/graphql.ts';
import './series/graphql.ts';
import { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import { byStart, pagedBy } from '../../graphql/pages.ts';
import { BOOKING_STATUSES } from './booking.ts';
import * as bookings from './service.ts';
import { Booking, BookingStatus } from './types/graphql.ts';

const READ = { access: 'bookings:read' } as const;

const BookingFilter = builder.inputType('BookingFilter', {
  fields: (t) => ({
    from: t.field({ type: 'DateTime', description: 'Bookings that end later than this' }),
    to: t.field({ type: 'DateTime', description: 'Bookings that start earlier than this' }),
    resourceId: t.id(),
    locationId: t.id(),
    memberId: t.id(),
    seriesId: t.id(),
    status: t.field({ type: BookingStatus }),
  }),
});

const filter = z.object({
  from: z.date().optional(),
  to: z.date().optional(),
  resourceId: z.uuid().optional(),
  locationId: z.uuid().optional(),
  memberId: z.uuid().optional(),
  seriesId: z.uuid().optional(),
  status: z.enum(BOOKING_STATUSES).optional(),
});

builder.queryField('bookings', (t) =>
  t.connection({
    type: Booking,
    description: 'By start. Members see their own.',
    authScopes: READ,
    args: { filter: t.arg({ type: BookingFilter }) },
    ...pagedBy(filter, bookings.list, byStart),
  }),
);

builder.queryField('booking', (t) =>
  t.field({
    type: Booking,
    authScopes: READ,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => bookings.get(ctx, id),
  }),
);
