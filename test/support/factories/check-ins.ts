import { v7 } from 'uuid';
import { createSecret, hashSecret } from '../../../src/auth/tokens.ts';
import { generateCode } from '../../../src/core/ids.ts';
import type { Prisma } from '../../../src/db/generated/client.ts';
import type { Credential, GraphqlResponse, RestResponse } from '../clients/api.ts';
import type { TestApp } from '../harness/app.ts';
import { makeEvent, postJson } from './events.ts';
import { makeMember } from './people.ts';
import { makeSpace } from './space.ts';

/** The response of either API, in one format. */
interface CheckIn {
  id: string | null;
  checkOutToken: string | null;
  result: string;
  unconfirmed: boolean;
  disputed: boolean;
  label: string | null;
  checkedInAt: string | null;
  checkedOutAt: string | null;
  subject: { type: string; title: string | null } | null;
}

interface Scan {
  locationId: string;
  code?: string;
  handle?: string;
  memberId?: string;
  bookingId?: string;
  visitor?: { name: string };
  leaving?: boolean;
  scanId?: string;
  occurredAt?: string;
  readmit?: boolean;
}

export interface CheckInResponse {
  checkIn: CheckIn;
  /** The status in REST, or the equivalent one for GraphQL. */
  status: number;
  /** The error, if the request was rejected. */
  error: { code: string; reason?: string; message: string } | null;
}

export type Scanner = (scan: Scan) => Promise<CheckInResponse>;

const CHECK_IN_FIELDS =
  'id checkOutToken result unconfirmed disputed label checkedInAt checkedOutAt subject { type title }';

const NO_CHECK_IN: CheckIn = {
  ...{
    id: null,
    checkOutToken: null,
    result: 'rejected',
    unconfirmed: false,
    disputed: false,
    label: null,
    checkedInAt: null,
    checkedOutAt: null,
  },
  subject: null,
};

const fromGraphql = ({ data, errors }: GraphqlResponse, field: string): CheckInResponse => {
  const checkIn = data?.[field].checkIn as CheckIn | undefined;
  if (!checkIn) {
    const { code, reason } = errors[0]?.extensions ?? {};
    const error = { code: String(code), reason: reason as string, message: errors[0]?.message };
    return { checkIn: NO_CHECK_IN, status: 422, error: error as CheckInResponse['error'] };
  }
  const lower = (word: string) => word.toLowerCase();
  const subject = checkIn.subject && { ...checkIn.subject, type: lower(checkIn.subject.type) };
  const result = lower(checkIn.result);
  return {
    checkIn: { ...checkIn, result, subject },
    status: result === 'admitted' ? 201 : 200,
    error: null,
  };
};

const fromRest = ({ status, body }: RestResponse): CheckInResponse => {
  if (status >= 400) {
    return {
      checkIn: NO_CHECK_IN,
      status,
      error: { code: String(status), message: String(body.data) },
    };
  }
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
  const { checked_in_at, checked_out_at, check_out_token, ...checkIn } = (body.data as any)
    .check_in;
  return {
    checkIn: {
      ...checkIn,
      ...{
        checkOutToken: check_out_token,
        checkedInAt: checked_in_at,
        checkedOutAt: checked_out_at,
      },
    },
    status,
    error: null,
  };
};

export const createGraphqlScanner =
  (app: TestApp, as: Credential = {}): Scanner =>
  async (input) =>
    fromGraphql(
      await app.graphql(
        `mutation ($input: CheckInInput!) { checkIn(input: $input) { checkIn { ${CHECK_IN_FIELDS} } } }`,
        { input },
        as,
      ),
      'checkIn',
    );

const createRestScanner =
  (app: TestApp, as: Credential = {}): Scanner =>
  async ({ locationId, scanId, occurredAt, ...rest }) => {
    const scan = { ...rest, location_id: locationId, scan_id: scanId, occurred_at: occurredAt };
    return fromRest(await postJson(app, '/public/check-ins', scan, as));
  };

export const checkOutByGraphql = async (app: TestApp, token: string, as: Credential = {}) =>
  fromGraphql(
    await app.graphql(
      `mutation ($token: String!) { checkOut(input: { token: $token }) { checkIn { ${CHECK_IN_FIELDS} } } }`,
      { token },
      as,
    ),
    'checkOut',
  );
const checkOutByRest = async (app: TestApp, tokenOrId: string, as: Credential = {}) =>
  fromRest(await postJson(app, `/public/check-ins/${tokenOrId}/check-out`, {}, as));

/** Both APIs, with their scanners. */
export const APIS = [
  ['REST', createRestScanner, checkOutByRest],
  ['GraphQL', createGraphqlScanner, checkOutByGraphql],
] as const;

/** Factories for everything that can be checked in. */
export function createAdmissionFactories(app: TestApp) {
  const { db } = app.ctx;

  const makeOrder = (more: Partial<Prisma.OrderUncheckedCreateInput> = {}) =>
    db.order.create({
      data: {
        code: generateCode(9),
        status: 'paid',
        paidAt: app.clock.now,
        ...{ buyerName: 'Nora Lind', buyerEmail: 'nora@example.org', currency: 'EUR' },
        totalAmount: 0,
        ...more,
      },
    });

  /** A ticket for an event from 10:00 to 13:00 in Berlin by default. */
  async function makeTicket(
    columns: Partial<Prisma.TicketUncheckedCreateInput> = {},
    event: Partial<Prisma.EventUncheckedCreateInput> & { type?: string } = {},
  ) {
    const { id: eventId, type } = columns.eventId
      ? { id: columns.eventId, type: columns.ticketTypeId as string }
      : await makeEvent(app, { ...todayInBerlin('10:00', '13:00'), title: 'Matinee', ...event });
    const { locationId } = await db.event.findUniqueOrThrow({ where: { id: eventId } });
    const order = columns.orderId ? { id: columns.orderId } : await makeOrder({ eventId });
    const ticket = await db.ticket.create({
      data: {
        ...{ code: generateCode(12), position: 0, status: 'valid', attendeeName: 'Ada Lovelace' },
        ...{ unitPrice: 0, amount: 0 },
        ...columns,
        ...{ orderId: order.id, eventId, ticketTypeId: type },
      },
    });
    return { ...ticket, locationId };
  }

  async function makePass(
    columns: Partial<Prisma.DayPassUncheckedCreateInput> = {},
    location: { id: string } | null = null,
  ) {
    const { id: locationId } = location ?? (await makeSpace(app)).location;
    const type = columns.typeId
      ? { id: columns.typeId }
      : await db.dayPassType.create({ data: { locationId, name: `Flex ${v7()}` } });
    const order = columns.orderId ? { id: columns.orderId } : await makeOrder();
    const pass = await db.dayPass.create({
      data: {
        ...{ code: generateCode(12), position: 0, status: 'valid', holderName: 'Grace Hopper' },
        ...{ unitPrice: 0, amount: 0, validOn: new Date('2026-03-18T00:00:00Z') },
        ...columns,
        ...{ orderId: order.id, typeId: type.id },
      },
    });
    return { ...pass, locationId };
  }

  const makeBooking = async (
    room: { id: string; locationId: string },
    columns: Partial<Prisma.BookingUncheckedCreateInput> = {},
    [from, to]: [string, string] = ['10:30', '12:00'],
  ) => {
    const { startsAt, endsAt } = todayInBerlin(from, to);
    return db.booking.create({
      data: {
        ...{ resourceId: room.id, locationId: room.locationId, startsAt, endsAt },
        occupiedUntil: endsAt,
        ...(columns.memberId ? {} : { guestName: 'Alan Turing', guestEmail: 'alan@example.org' }),
        ...columns,
      },
    });
  };

  /** A handle as a lookup returns it; `lookupId` groups handles. */
  async function makeHandle(
    memberId: string,
    locationId: string,
    more: Partial<Prisma.LookupHandleUncheckedCreateInput> = {},
  ) {
    const { plainText } = createSecret('lookupHandle');
    const now = app.clock.now;
    await db.lookupHandle.create({
      data: {
        ...{ hash: hashSecret(plainText), lookupId: v7(), locationId, memberId },
        ...{ address: '127.0.0.1', exact: false, createdAt: now },
        expiresAt: new Date(now.getTime() + 120_000),
        ...more,
      },
    });
    return plainText;
  }

  const setCapacity = (locationId: string, capacity: number | null) =>
    db.location.update({ where: { id: locationId }, data: { capacity } });

  const countPresent = async (locationId: string) =>
    (await db.occupancy.findUniqueOrThrow({ where: { locationId } })).present;

  const listAttempts = (locationId: string) =>
    db.checkIn.findMany({ where: { locationId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });

  return {
    ...{
      makeOrder,
      makeTicket,
      makePass,
      makeBooking,
      makeHandle,
      setCapacity,
      countPresent,
      listAttempts,
    },
    makeMember: (more: Partial<Prisma.MemberUncheckedCreateInput> = {}) => makeMember(app, more),
    makeSpace: async () => makeSpace(app),
  };
}

/** A time range in Berlin on the Wednesday of the tests. */
export const todayInBerlin = (from: string, to: string) => ({
  startsAt: new Date(`2026-03-18T${from}:00+01:00`),
  endsAt: new Date(`2026-03-18T${to}:00+01:00`),
});
