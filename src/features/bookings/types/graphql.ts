import { builder } from '../../../graphql/builder.ts';
import { Money } from '../../../graphql/money.ts';
import { Member } from '../../members/graphql.ts';
import { Location, Resource } from '../../spaces/graphql.ts';
import type { Booking as Value } from '../booking.ts';

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

const Cancellation = builder.objectRef<NonNullable<Value['cancellation']>>('Cancellation');
Cancellation.implement({
  fields: (t) => ({
    cancelledAt: t.expose('cancelledAt', { type: 'DateTime' }),
    reason: t.exposeString('reason', { nullable: true }),
    fee: t.expose('fee', { type: Money, description: 'What stays due of the price' }),
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
    seriesId: t.exposeID('seriesId', { nullable: true }),
    checkedInAt: t.expose('checkedInAt', { type: 'DateTime', nullable: true }),
    cancellation: t.expose('cancellation', { type: Cancellation, nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});
