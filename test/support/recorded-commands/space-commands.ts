import { v7 } from 'uuid';
import { createDayPassActions } from '../factories/day-passes.ts';
import { makeBuyer } from '../factories/events.ts';
import { march } from '../factories/space.ts';
import type { Command } from './stage.ts';

const TIMES = march(19, '10:00', '11:00');

/** Locations, resources, bookings, calendar feeds and displays. */
export const SPACE_COMMANDS: Record<string, Command> = {
  'Mutation.createLocation': {
    records: ['location.created'],
    prepare: () => ({ name: 'House', slug: v7(), timeZone: 'Asia/Tokyo' }),
  },
  'Mutation.updateLocation': {
    records: ['location.updated'],
    prepare: async ({ space }) => ({ id: (await space()).location.id, capacity: 40 }),
  },
  'Mutation.setOpeningHours': {
    records: ['opening_hours.updated'],
    prepare: async ({ space }) => ({ locationId: (await space()).location.id, hours: [] }),
  },
  'Mutation.createClosure': {
    records: ['closure.created'],
    prepare: async ({ space }) => ({
      locationId: (await space()).location.id,
      startsOn: '2026-03-20',
      endsOn: '2026-03-20',
    }),
  },
  'Mutation.deleteClosure': {
    records: ['closure.deleted'],
    prepare: async ({ createClosure }) => ({ id: await createClosure() }),
  },
  'Mutation.announceClosure': {
    records: ['closure.announced'],
    prepare: async ({ book, app, run }) => {
      const { locationId } = await app.ctx.db.booking.findUniqueOrThrow({
        where: { id: await book() },
      });
      const passes = createDayPassActions(app);
      const { id: typeId } = await passes.makeType({ priceAmount: 0 });
      await app.ctx.db.dayPassType.update({ where: { id: typeId }, data: { locationId } });
      await passes.place(typeId, { buyer: makeBuyer() });
      const days = { locationId, startsOn: '2026-03-19', endsOn: '2026-03-19' };
      const { closure } = await run('createClosure', days, 'closure { id }');
      return { id: closure.id, cancelBookings: true, message: 'We are moving.' };
    },
  },
  'Mutation.createResource': {
    records: ['resource.created'],
    prepare: async ({ space }) => ({
      locationId: (await space()).location.id,
      name: 'Room',
      slug: v7(),
      type: 'ROOM',
    }),
  },
  'Mutation.createResources': {
    records: ['resource.created', 'resource.created'],
    prepare: async ({ space }) => ({
      locationId: (await space()).location.id,
      namePrefix: 'Desk',
      slugPrefix: v7(),
      count: 2,
      type: 'DESK',
    }),
  },
  'Mutation.updateResources': {
    records: ['resource.updated'],
    prepare: async ({ space }) => ({
      resources: [{ id: (await space()).room.id }],
      area: 'Second floor',
    }),
  },
  'Mutation.updateResource': {
    records: ['resource.updated'],
    prepare: async ({ space }) => ({ id: (await space()).room.id, amenities: ['whiteboard'] }),
  },
  'Mutation.createBooking': {
    records: ['booking.created'],
    prepare: async ({ space, createMember }) => ({
      resourceId: (await space()).room.id,
      memberId: (await createMember()).id,
      title: 'A talk',
      notes: 'With tea',
      ...TIMES,
    }),
  },
  'Mutation.bookAnyResource': {
    records: ['booking.created'],
    prepare: async ({ space, createMember }) => ({
      locationId: (await space()).location.id,
      type: 'ROOM',
      memberId: (await createMember()).id,
      ...TIMES,
    }),
  },
  'POST /bookings': {
    records: ['booking.created'],
    prepare: async ({ space, createMember }) => ({
      resource_id: (await space()).room.id,
      member_id: (await createMember()).id,
      title: 'A talk',
      starts_at: TIMES.startsAt,
      ends_at: TIMES.endsAt,
    }),
  },
  'Mutation.createBookingSeries': {
    records: ['booking.created', 'booking.created'],
    prepare: async ({ space }) => ({
      resourceId: (await space()).room.id,
      guest: { name: 'Gil', email: 'gil@example.org' },
      title: 'A talk',
      rule: 'FREQ=DAILY;COUNT=2',
      ...TIMES,
    }),
  },
  'Mutation.rescheduleBooking': {
    records: ['booking.rescheduled'],
    prepare: async ({ book }) => ({ id: await book(), ...march(19, '12:00', '13:00') }),
  },
  'Mutation.updateBooking': {
    records: ['booking.updated'],
    prepare: async ({ book }) => ({ id: await book(), title: 'A talk', notes: 'With tea' }),
  },
  'Mutation.confirmBooking': {
    records: ['booking.confirmed'],
    prepare: async ({ requestBooking }) => ({ id: await requestBooking() }),
  },
  'Mutation.cancelBooking': {
    records: ['booking.cancelled'],
    prepare: async ({ book }) => ({ id: await book(), reason: 'We are ill' }),
  },
  'POST /bookings/{id}/cancel': {
    records: ['booking.cancelled'],
    prepare: async ({ book }) => ({ id: await book(), reason: 'We are ill' }),
  },
  'Mutation.checkInBooking': {
    records: ['booking.checked_in'],
    prepare: async ({ book }) => ({ id: await book(march(18, '11:00', '12:00')) }),
  },
  'Mutation.createCalendarFeed': {
    records: ['calendar_feed.created'],
    prepare: async ({ space }) => ({ resourceId: (await space()).room.id }),
  },
  'Mutation.revokeCalendarFeed': {
    records: ['calendar_feed.revoked'],
    prepare: async ({ createCalendarFeed }) => ({ id: await createCalendarFeed() }),
  },
  'Mutation.createDisplay: as a kiosk': {
    records: ['display.created', 'location.updated'],
    prepare: async ({ space }) => ({
      name: 'Hall',
      kind: 'KIOSK',
      locationId: (await space()).location.id,
    }),
  },
  'Mutation.createDisplay': {
    records: ['display.created'],
    prepare: async ({ space }) => ({
      name: 'Hall',
      kind: 'WELCOME',
      locationId: (await space()).location.id,
    }),
  },
  'Mutation.claimPairing': {
    records: ['display.created'],
    prepare: async ({ space, startPairing }) => ({
      pairingCode: await startPairing(),
      name: 'Hall',
      locationId: (await space()).location.id,
    }),
  },
  'Mutation.claimPairing: of a new screen': {
    records: ['display.paired'],
    prepare: async ({ createDisplay, startPairing }) => ({
      pairingCode: await startPairing(),
      displayId: await createDisplay(),
    }),
  },
  'Mutation.updateDisplay': {
    records: ['display.updated'],
    prepare: async ({ createDisplay }) => ({ id: await createDisplay(), name: 'Lobby' }),
  },
  'Mutation.rotateDisplayToken': {
    records: ['display.token_rotated'],
    prepare: async ({ createDisplay }) => ({ id: await createDisplay(), overlapMinutes: 0 }),
  },
  'Mutation.revokeDisplay': {
    records: ['display.revoked'],
    prepare: async ({ createDisplay }) => ({ id: await createDisplay() }),
  },
  'Mutation.createMailing': {
    records: ['mailing.created'],
    prepare: async ({ createMailingInput }) => createMailingInput(),
  },
  'Mutation.cancelMailing': {
    records: ['mailing.cancelled'],
    prepare: async ({ createMailingInput, run }) => {
      const { mailing } = await run('createMailing', await createMailingInput(), 'mailing { id }');
      return { id: mailing.id };
    },
  },
  'Mutation.createAnnouncement': {
    records: ['announcement.created'],
    prepare: () => ({ title: 'Hello' }),
  },
  'Mutation.updateAnnouncement': {
    records: ['announcement.updated'],
    prepare: async ({ createAnnouncement }) => ({ id: await createAnnouncement(), body: 'Cake' }),
  },
  'Mutation.deleteAnnouncement': {
    records: ['announcement.deleted'],
    prepare: async ({ createAnnouncement }) => ({ id: await createAnnouncement() }),
  },
};
