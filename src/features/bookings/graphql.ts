import { z } from 'zod';
import { builder } from '../../graphql/builder.ts';
import { Money } from '../../graphql/money.ts';
import { byStart, connection, pageComplexity, pageRequest } from '../../graphql/pages.ts';
import { definite, valid } from '../../validation.ts';
import { Member } from '../members/graphql.ts';
import { Location, Resource } from '../spaces/graphql.ts';
import { BOOKING_STATUSES, type Booking as Value } from './booking.ts';
import * as bookings from './service.ts';

const READ = { access: 'bookings:read' } as const;

export const BookingStatus = builder.enumType('BookingStatus', {
  values: {
    PENDING: { value: 'pending' },
    CONFIRMED: { value: 'confirmed' },
    CANCELLED: { value: 'cancelled' },
    NO_SHOW: { value: 'no_show' },
  } as const,
});

const Guest = builder.objectRef<{ name: string; email: string | null }>('Guest');
Guest.implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    email: t.exposeString('email', { nullable: true }),
  }),
});

export const Booking = builder.objectRef<Value>('Booking');
Booking.implement({
  description: 'A resource from startsAt until just before endsAt, by a member or by a guest',
  fields: (t) => ({
    id: t.exposeID('id'),
    status: t.expose('status', { type: BookingStatus }),
    title: t.exposeString('title', { nullable: true }),
    notes: t.exposeString('notes', { nullable: true }),
    startsAt: t.expose('startsAt', { type: 'DateTime' }),
    endsAt: t.expose('endsAt', { type: 'DateTime' }),
    resource: t.expose('resource', { type: Resource }),
    location: t.expose('location', { type: Location }),
    member: t.expose('member', { type: Member, nullable: true }),
    guest: t.expose('guest', { type: Guest, nullable: true }),
    price: t.expose('price', { type: Money }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

const BookingFilter = builder.inputType('BookingFilter', {
  fields: (t) => ({
    from: t.field({ type: 'DateTime', description: 'Bookings that end later than this' }),
    to: t.field({ type: 'DateTime', description: 'Bookings that start earlier than this' }),
    resourceId: t.id(),
    locationId: t.id(),
    memberId: t.id(),
    status: t.field({ type: BookingStatus }),
  }),
});

const filter = z.object({
  from: z.date().optional(),
  to: z.date().optional(),
  resourceId: z.uuid().optional(),
  locationId: z.uuid().optional(),
  memberId: z.uuid().optional(),
  status: z.enum(BOOKING_STATUSES).optional(),
});

builder.queryField('bookings', (t) =>
  t.connection({
    type: Booking,
    description: 'By start. Members see their own.',
    authScopes: READ,
    complexity: pageComplexity,
    args: { filter: t.arg({ type: BookingFilter }) },
    resolve: async (_, args, { ctx }) =>
      connection(
        await bookings.list(ctx, valid(filter, definite(args.filter)), pageRequest(args)),
        byStart,
        args.after,
      ),
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
