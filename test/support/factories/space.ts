import { v7 } from 'uuid';
import type { Prisma } from '../../../src/db/generated/client.ts';
import type { Credential } from '../clients/api.ts';
import type { TestApp } from '../harness/app.ts';

/** A location in Berlin, open Monday to Friday from nine to six, with one room for twenty euros an hour. It admits all members. */
export async function makeSpace(
  app: TestApp,
  rules: Partial<Prisma.ResourceUncheckedCreateInput> = {},
) {
  const { db } = app.ctx;
  const location = await db.location.create({
    data: {
      slug: `house-${v7()}`,
      name: 'House',
      timeZone: 'Europe/Berlin',
      memberAdmission: 'all',
    },
  });
  const weekdays = [1, 2, 3, 4, 5];
  await db.openingHours.createMany({
    data: weekdays.map((weekday) => ({
      locationId: location.id,
      weekday,
      opensMinute: 9 * 60,
      closesMinute: 18 * 60,
    })),
  });
  const addRoom = (more: Partial<Prisma.ResourceUncheckedCreateInput> = {}) =>
    db.resource.create({
      data: {
        locationId: location.id,
        slug: `room-${v7()}`,
        name: 'Room',
        type: 'room',
        hourlyAmount: 2_000,
        ...rules,
        ...more,
      },
    });
  return { location, room: await addRoom(), addRoom };
}

export interface BookingRequest {
  resourceId: string;
  startsAt: string;
  endsAt: string;
  memberId?: string | undefined;
  guest?: { name: string; email?: string } | undefined;
  title?: string;
  notes?: string;
  override?: boolean;
}

/** The GraphQL operations on bookings, as this caller. */
export const bookingCalls = (app: TestApp, as: Credential) => ({
  preview: async (input: BookingRequest) =>
    app.graphql(
      `query ($input: CreateBookingInput!) { previewBooking(input: $input) { allowed status price { amount currency }
        reasons { reason message overridable } lines { kind minutes amount discountPercent }
        collisions { startsAt endsAt bookingId title holder } alternatives { startsAt endsAt localStart } freeCancellationUntil } }`,
      { input },
      as,
    ),
  create: (input: BookingRequest) =>
    app.graphql(
      `mutation ($input: CreateBookingInput!) { createBooking(input: $input) { booking { ${FIELDS} } } }`,
      { input },
      as,
    ),
  cancel: (id: string, more: { reason?: string; scope?: string; waiveFee?: boolean } = {}) =>
    app.graphql(
      `mutation ($id: ID!, $reason: String, $scope: SeriesScope, $waiveFee: Boolean) {
        cancelBooking(input: { id: $id, reason: $reason, scope: $scope, waiveFee: $waiveFee }) { booking { ${FIELDS} } } }`,
      { id, ...more },
      as,
    ),
  reschedule: (
    id: string,
    span: { startsAt: string; endsAt: string },
    more: { scope?: string; override?: boolean; resourceId?: string } = {},
  ) =>
    app.graphql(
      `mutation ($id: ID!, $resourceId: ID, $startsAt: DateTime!, $endsAt: DateTime!, $scope: SeriesScope, $override: Boolean) {
        rescheduleBooking(input: { id: $id, resourceId: $resourceId, startsAt: $startsAt, endsAt: $endsAt, scope: $scope, override: $override }) { booking { ${FIELDS} } } }`,
      { id, ...span, ...more },
      as,
    ),
  series: (input: BookingRequest & { rule: string; exdates?: string[]; onConflict?: string }) =>
    app.graphql(
      `mutation ($input: CreateBookingSeriesInput!) { createBookingSeries(input: $input) {
          bookingSeries { id rule
          bookings { ${FIELDS} } conflicts { startsAt localStart reasons { reason message } } }
        } }`,
      { input },
      as,
    ),
});

const FIELDS = `id status title notes startsAt endsAt seriesId checkedInAt price { amount currency }
  member { id name } guest { name email } cancellation { cancelledAt reason fee { amount } }`;

/** A time range in Berlin on a day of March 2026, before summer time begins on the 29th. */
export const march = (day: number, from: string, to: string) => {
  const at = (time: string) => `2026-03-${String(day).padStart(2, '0')}T${time}:00+01:00`;
  return { startsAt: at(from), endsAt: at(to) };
};
