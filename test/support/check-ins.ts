import { v7 } from 'uuid';
import { createSecret, hashSecret } from '../../src/auth/tokens.ts';
import { generateCode } from '../../src/core/ids.ts';
import type { Prisma } from '../../src/db/generated/client.ts';
import type { Credential, GraphqlAnswer, RestAnswer, TestApp } from './app.ts';
import { makeEvent, post } from './events.ts';
import { makeMember, makeSpace } from './space.ts';

/** What either door answers, in the words of the service. */
export interface Told {
  id: string | null;
  checkOutToken: string | null;
  result: string;
  label: string | null;
  checkedInAt: string | null;
  checkedOutAt: string | null;
  subject: { type: string; title: string | null } | null;
}

export interface Scan {
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

export interface Answered {
  told: Told;
  /** 201, 200 ... of REST; what it would be, of GraphQL. */
  status: number;
  /** Why not, where it was refused altogether. */
  refusal: { code: string; reason?: string; message: string } | null;
}

export type Door = (scan: Scan) => Promise<Answered>;

const TOLD = 'id checkOutToken result label checkedInAt checkedOutAt subject { type title }';

const NOTHING: Told = {
  ...{
    id: null,
    checkOutToken: null,
    result: 'refused',
    label: null,
    checkedInAt: null,
    checkedOutAt: null,
  },
  subject: null,
};

const ofGraphql = ({ data, errors }: GraphqlAnswer, field: string): Answered => {
  const told = data?.[field] as Told | undefined;
  if (!told) {
    const { code, reason } = errors[0]?.extensions ?? {};
    const refusal = { code: String(code), reason: reason as string, message: errors[0]?.message };
    return { told: NOTHING, status: 422, refusal: refusal as Answered['refusal'] };
  }
  const lower = (word: string) => word.toLowerCase();
  const subject = told.subject && { ...told.subject, type: lower(told.subject.type) };
  const result = lower(told.result);
  return {
    told: { ...told, result, subject },
    status: result === 'admitted' ? 201 : 200,
    refusal: null,
  };
};

const ofRest = ({ status, body }: RestAnswer): Answered => {
  if (status >= 400) {
    return { told: NOTHING, status, refusal: { code: String(status), message: String(body.data) } };
  }
  // biome-ignore lint/suspicious/noExplicitAny: the wire's own shape
  const { checked_in_at, checked_out_at, check_out_token, ...told } = (body.data as any).check_in;
  return {
    told: {
      ...told,
      ...{
        checkOutToken: check_out_token,
        checkedInAt: checked_in_at,
        checkedOutAt: checked_out_at,
      },
    },
    status,
    refusal: null,
  };
};

export const graphqlDoor =
  (app: TestApp, as: Credential = {}): Door =>
  async (input) =>
    ofGraphql(
      await app.graphql(
        `mutation ($input: CheckInInput!) { checkIn(input: $input) { ${TOLD} } }`,
        { input },
        as,
      ),
      'checkIn',
    );

export const restDoor =
  (app: TestApp, as: Credential = {}): Door =>
  async ({ locationId, scanId, occurredAt, ...rest }) => {
    const scan = { ...rest, location_id: locationId, scan_id: scanId, occurred_at: occurredAt };
    return ofRest(await post(app, '/public/check-ins', scan, as));
  };

export const checkOutByGraphql = async (app: TestApp, token: string, as: Credential = {}) =>
  ofGraphql(
    await app.graphql(
      `mutation ($token: String!) { checkOut(token: $token) { ${TOLD} } }`,
      { token },
      as,
    ),
    'checkOut',
  );
export const checkOutByRest = async (app: TestApp, tokenOrId: string, as: Credential = {}) =>
  ofRest(await post(app, `/public/check-ins/${tokenOrId}/check-out`, {}, as));

/** Both doors as strangers use them. */
export const DOORS = [
  ['REST', restDoor, checkOutByRest],
  ['GraphQL', graphqlDoor, checkOutByGraphql],
] as const;

/** What a test has people come with. */
export function presentablesOf(app: TestApp) {
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

  /** A ticket for what runs now, 10:00 to 13:00 by Berlin's clocks, unless told otherwise. */
  async function makeTicket(
    columns: Partial<Prisma.TicketUncheckedCreateInput> = {},
    event: Partial<Prisma.EventUncheckedCreateInput> & { type?: string } = {},
  ) {
    const { id: eventId, type } = columns.eventId
      ? { id: columns.eventId, type: columns.ticketTypeId as string }
      : await makeEvent(app, { ...today('10:00', '13:00'), title: 'Matinee', ...event });
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
    const { startsAt, endsAt } = today(from, to);
    return db.booking.create({
      data: {
        ...{ resourceId: room.id, locationId: room.locationId, startsAt, endsAt },
        occupiedUntil: endsAt,
        ...(columns.memberId ? {} : { guestName: 'Alan Turing', guestEmail: 'alan@example.org' }),
        ...columns,
      },
    });
  };

  /** As a lookup tells them: all of one lookup belong together. */
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

  const capacity = (locationId: string, capacity: number | null) =>
    db.location.update({ where: { id: locationId }, data: { capacity } });

  const presentAt = async (locationId: string) =>
    (await db.occupancy.findUniqueOrThrow({ where: { locationId } })).present;

  const attempts = (locationId: string) =>
    db.checkIn.findMany({ where: { locationId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });

  return {
    ...{ makeOrder, makeTicket, makePass, makeBooking, makeHandle, capacity, presentAt, attempts },
    makeMember: (more: Partial<Prisma.MemberUncheckedCreateInput> = {}) => makeMember(app, more),
    makeHouse: async () => makeSpace(app),
  };
}

/** By Berlin's clocks, on the Wednesday of the tests. */
export const today = (from: string, to: string) => ({
  startsAt: new Date(`2026-03-18T${from}:00+01:00`),
  endsAt: new Date(`2026-03-18T${to}:00+01:00`),
});
