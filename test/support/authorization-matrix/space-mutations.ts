import {
  type Entry,
  EVERYONE,
  MANAGERS_AND_TOKENS,
  SIGNED_IN,
  STAFF_AND_TOKENS,
  UNKNOWN_ID,
} from './callers.ts';

/** Mutations of locations, resources, bookings, calendar feeds, check-ins and displays. */
export const SPACE_MUTATIONS: Record<string, Entry> = {
  'Mutation.checkIn': {
    request: `mutation { checkIn(input: { locationId: "${UNKNOWN_ID}", code: "none" }) { checkIn { result } } }`,
    allowed: EVERYONE,
  },
  'Mutation.checkOut': {
    request: `mutation { checkOut(input: { id: "${UNKNOWN_ID}" }) { checkIn { result } } }`,
    allowed: EVERYONE,
  },
  'Mutation.confirmVisit': {
    request: `mutation { confirmVisit(input: { id: "${UNKNOWN_ID}" }) { checkIn { result } } }`,
    scope: 'check-ins:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.cancelBooking': {
    request: `mutation { cancelBooking(input: { id: "${UNKNOWN_ID}" }) { booking { id } } }`,
    scope: 'bookings:write',
    allowed: [...STAFF_AND_TOKENS, 'member'],
  },
  'Mutation.checkInBooking': {
    request: `mutation { checkInBooking(input: { id: "${UNKNOWN_ID}" }) { booking { id } } }`,
    scope: 'check-ins:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.announceClosure': {
    request: `mutation { announceClosure(input: { id: "${UNKNOWN_ID}" }) { bookingCount } }`,
    scope: 'bookings:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.confirmBooking': {
    request: `mutation { confirmBooking(input: { id: "${UNKNOWN_ID}" }) { booking { id } } }`,
    scope: 'bookings:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.bookAnyResource': {
    request: `mutation { bookAnyResource(input: { locationId: "${UNKNOWN_ID}", type: DESK, startsAt: "2026-04-01T09:00:00Z", endsAt: "2026-04-01T10:00:00Z" }) { booking { id } } }`,
    scope: 'bookings:write',
    allowed: [...STAFF_AND_TOKENS, 'member'],
  },
  'Mutation.createBooking': {
    request: `mutation { createBooking(input: { resourceId: "${UNKNOWN_ID}", startsAt: "2026-04-01T09:00:00Z", endsAt: "2026-04-01T10:00:00Z" }) { booking { id } } }`,
    scope: 'bookings:write',
    allowed: [...STAFF_AND_TOKENS, 'member'],
  },
  'Mutation.createBookingSeries': {
    request: `mutation { createBookingSeries(input: { resourceId: "${UNKNOWN_ID}", startsAt: "2026-04-01T09:00:00Z", endsAt: "2026-04-01T10:00:00Z", rule: "FREQ=DAILY;COUNT=2" }) { bookingSeries { id } } }`,
    scope: 'bookings:write',
    allowed: [...STAFF_AND_TOKENS, 'member'],
  },
  'Mutation.rescheduleBooking': {
    request: `mutation { rescheduleBooking(input: { id: "${UNKNOWN_ID}", startsAt: "2026-04-01T09:00:00Z", endsAt: "2026-04-01T10:00:00Z" }) { booking { id } } }`,
    scope: 'bookings:write',
    allowed: [...STAFF_AND_TOKENS, 'member'],
  },
  'Mutation.updateBooking': {
    request: `mutation { updateBooking(input: { id: "${UNKNOWN_ID}", title: "x" }) { booking { id } } }`,
    scope: 'bookings:write',
    allowed: [...STAFF_AND_TOKENS, 'member'],
  },
  'Mutation.createCalendarFeed': {
    request: `mutation { createCalendarFeed(input: { memberId: "${UNKNOWN_ID}" }) { url } }`,
    scope: 'bookings:write',
    allowed: SIGNED_IN,
  },
  'Mutation.createClosure': {
    request: `mutation { createClosure(input: { locationId: "${UNKNOWN_ID}", startsOn: "2026-03-01", endsOn: "2026-03-01" }) { closure { id } } }`,
    scope: 'spaces:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.claimPairing': {
    request: `mutation { claimPairing(input: { pairingCode: "", displayId: "${UNKNOWN_ID}", name: "x" }) { display { id } } }`,
    scope: 'displays:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.createMailing': {
    request: `mutation { createMailing(input: { subject: "x", body: "x", audience: ATTENDEES, eventId: "${UNKNOWN_ID}", expectedRecipients: 1 }) { mailing { id } } }`,
    scope: 'mailings:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.cancelMailing': {
    request: `mutation { cancelMailing(input: { id: "${UNKNOWN_ID}" }) { mailing { id } } }`,
    scope: 'mailings:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.createAnnouncement': {
    request: `mutation { createAnnouncement(input: { title: "x", locationId: "${UNKNOWN_ID}" }) { announcement { id } } }`,
    scope: 'displays:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.deleteAnnouncement': {
    request: `mutation { deleteAnnouncement(input: { id: "${UNKNOWN_ID}" }) { deletedAnnouncementId } }`,
    scope: 'displays:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.rotateDisplayToken': {
    request: `mutation { rotateDisplayToken(input: { id: "${UNKNOWN_ID}" }) { deviceToken } }`,
    scope: 'displays:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.updateAnnouncement': {
    request: `mutation { updateAnnouncement(input: { id: "${UNKNOWN_ID}" }) { announcement { id } } }`,
    scope: 'displays:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.updateDisplay': {
    request: `mutation { updateDisplay(input: { id: "${UNKNOWN_ID}" }) { display { id } } }`,
    scope: 'displays:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.createDisplay': {
    request: `mutation { createDisplay(input: { name: "x", kind: WELCOME, locationId: "${UNKNOWN_ID}" }) { deviceToken } }`,
    scope: 'displays:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.createLocation': {
    request:
      'mutation { createLocation(input: { name: "x", slug: "x", timeZone: "Nowhere" }) { location { id } } }',
    scope: 'spaces:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.createResource': {
    request: `mutation { createResource(input: { name: "x", slug: "x", type: ROOM, locationId: "${UNKNOWN_ID}" }) { resource { id } } }`,
    scope: 'spaces:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.createResources': {
    request: `mutation { createResources(input: { namePrefix: "x", count: 2, type: ROOM, locationId: "${UNKNOWN_ID}" }) { resources { id } } }`,
    scope: 'spaces:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.deleteClosure': {
    request: `mutation { deleteClosure(input: { id: "${UNKNOWN_ID}" }) { deletedClosureId } }`,
    scope: 'spaces:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.revokeCalendarFeed': {
    request: `mutation { revokeCalendarFeed(input: { id: "${UNKNOWN_ID}" }) { calendarFeed { id } } }`,
    scope: 'bookings:write',
    allowed: [...STAFF_AND_TOKENS, 'member'],
  },
  'Mutation.revokeDisplay': {
    request: `mutation { revokeDisplay(input: { id: "${UNKNOWN_ID}" }) { display { id } } }`,
    scope: 'displays:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.setOpeningHours': {
    request: `mutation { setOpeningHours(input: { locationId: "${UNKNOWN_ID}", hours: [] }) { location { id } } }`,
    scope: 'spaces:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.updateLocation': {
    request: `mutation { updateLocation(input: { id: "${UNKNOWN_ID}" }) { location { id } } }`,
    scope: 'spaces:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.updateResources': {
    request: `mutation { updateResources(input: { resources: [{ id: "${UNKNOWN_ID}" }], area: "x" }) { resources { id } } }`,
    scope: 'spaces:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.updateResource': {
    request: `mutation { updateResource(input: { id: "${UNKNOWN_ID}" }) { resource { id } } }`,
    scope: 'spaces:write',
    allowed: MANAGERS_AND_TOKENS,
  },
};
