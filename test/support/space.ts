import { v7 } from 'uuid';
import { hashPassword } from '../../src/auth/passwords.ts';
import { createStaff } from '../../src/auth/sign-in.ts';
import type { Prisma } from '../../src/db/generated/client.ts';
import { generateMemberCode } from '../../src/features/members/service.ts';
import type { Credential, TestApp } from './app.ts';
import { PASSWORD } from './seed.ts';

/** A location in Berlin, open Monday to Friday from nine to six, with one room for twenty euros an hour. */
export async function makeSpace(
  app: TestApp,
  rules: Partial<Prisma.ResourceUncheckedCreateInput> = {},
) {
  const { db } = app.ctx;
  const location = await db.location.create({
    data: { slug: `house-${v7()}`, name: 'House', timeZone: 'Europe/Berlin' },
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

let people = 0;

/** A member with a session of their own. */
export async function makeMember(
  app: TestApp,
  more: Partial<Prisma.MemberUncheckedCreateInput> = {},
) {
  people += 1;
  const email = `member-${people}@example.org`;
  const member = await app.ctx.db.member.create({
    data: { name: `Member ${people}`, email, code: generateMemberCode(), ...more },
  });
  const signedIn = async (): Promise<Credential> => {
    await app.ctx.db.user.create({
      data: {
        name: member.name,
        email,
        memberId: member.id,
        passwordHash: await hashPassword(PASSWORD),
      },
    });
    return { cookie: await app.signIn(email) };
  };
  return { ...member, signedIn };
}

export async function makeStaff(app: TestApp): Promise<Credential> {
  people += 1;
  const email = `staff-${people}@example.org`;
  await createStaff(app.ctx, { name: 'Staff', email, password: PASSWORD, role: 'front_desk' });
  return { cookie: await app.signIn(email) };
}

export interface Wish {
  resourceId: string;
  startsAt: string;
  endsAt: string;
  memberId?: string | undefined;
  guest?: { name: string; email?: string } | undefined;
  title?: string;
  notes?: string;
  override?: boolean;
}

/** Asks as this caller; answers with what GraphQL says of each. */
export const bookingCalls = (app: TestApp, as: Credential) => ({
  preview: async (input: Wish) =>
    app.graphql(
      `query ($input: BookingInput!) { previewBooking(input: $input) { allowed status price { amount currency }
        reasons { reason message overridable } lines { kind minutes amount discountPercent }
        collisions { startsAt endsAt bookingId title holder } alternatives { startsAt endsAt localStart } freeCancellationUntil } }`,
      { input },
      as,
    ),
  create: (input: Wish) =>
    app.graphql(
      `mutation ($input: BookingInput!) { createBooking(input: $input) { ${FIELDS} } }`,
      { input },
      as,
    ),
  cancel: (id: string, more: { reason?: string; scope?: string; waiveFee?: boolean } = {}) =>
    app.graphql(
      `mutation ($id: ID!, $reason: String, $scope: SeriesScope, $waiveFee: Boolean) {
        cancelBooking(id: $id, reason: $reason, scope: $scope, waiveFee: $waiveFee) { ${FIELDS} } }`,
      { id, ...more },
      as,
    ),
  reschedule: (
    id: string,
    span: { startsAt: string; endsAt: string },
    more: { scope?: string; override?: boolean } = {},
  ) =>
    app.graphql(
      `mutation ($id: ID!, $startsAt: DateTime!, $endsAt: DateTime!, $scope: SeriesScope, $override: Boolean) {
        rescheduleBooking(id: $id, startsAt: $startsAt, endsAt: $endsAt, scope: $scope, override: $override) { ${FIELDS} } }`,
      { id, ...span, ...more },
      as,
    ),
  series: (input: Wish & { rule: string; exdates?: string[]; onConflict?: string }) =>
    app.graphql(
      `mutation ($input: BookingSeriesInput!) { createBookingSeries(input: $input) { id rule
        bookings { ${FIELDS} } conflicts { startsAt localStart reasons { reason message } } } }`,
      { input },
      as,
    ),
});

const FIELDS = `id status title notes startsAt endsAt seriesId checkedInAt price { amount currency }
  member { id name } guest { name email } cancellation { cancelledAt reason fee { amount } }`;

/** 09:00 becomes that time by Berlin's clocks on a day of March 2026 before the 29th. */
export const march = (day: number, from: string, to: string) => {
  const at = (time: string) => `2026-03-${String(day).padStart(2, '0')}T${time}:00+01:00`;
  return { startsAt: at(from), endsAt: at(to) };
};
