import { buildSchema } from 'graphql';
import { v7 } from 'uuid';
import { z } from 'zod';
import { hashPassword } from '../src/auth/passwords.ts';
import { refuseUnguarded as refuseUnguardedFields, schema } from '../src/graphql/schema.ts';
import { noQuery, route } from '../src/rest/route.ts';
import { refuseUnguarded as refuseUnguardedRoutes, routes } from '../src/rest/routes.ts';
import { type Credential, STAFF, startApp, type TestApp } from './support/app.ts';
import { PASSWORD } from './support/seed.ts';

type Who =
  | 'anonymous'
  | 'member'
  | 'device'
  | 'token without'
  | 'token with'
  | 'front desk'
  | 'manager'
  | 'owner';

const EVERYBODY: Who[] = [
  'anonymous',
  'member',
  'device',
  'token without',
  'token with',
  'front desk',
  'manager',
  'owner',
];
const SIGNED_IN: Who[] = ['member', 'front desk', 'manager', 'owner'];
const MANAGERS: Who[] = ['manager', 'owner'];
const STAFF_AND_TOKENS: Who[] = ['token with', 'front desk', 'manager', 'owner'];
const MANAGERS_AND_TOKENS: Who[] = ['token with', 'manager', 'owner'];

interface Entry {
  /** A query, or a path of the REST door. */
  ask: string;
  /** What a POST says. */
  body?: object;
  /** What a token needs; without one, no token has it. */
  scope?: string;
  may: Who[];
}

const nobody = v7();
const page = '(first: 1) { edges { node { id } } }';

// Who may pass each door. Asked so that whoever passes changes nothing: a thing that is not there, a wrong password.
const FIELDS: Record<string, Entry> = {
  'Query.announcements': {
    ask: `{ announcements${page} }`,
    scope: 'displays:read',
    may: STAFF_AND_TOKENS,
  },
  'Query.apiTokens': { ask: `{ apiTokens${page} }`, may: MANAGERS },
  'Query.availability': {
    ask: `{ availability(resourceId: "${nobody}", from: "2026-04-01T00:00:00Z", to: "2026-04-02T00:00:00Z") { free { startsAt } } }`,
    scope: 'spaces:read',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.booking': {
    ask: `{ booking(id: "${nobody}") { id } }`,
    scope: 'bookings:read',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.bookings': {
    ask: `{ bookings${page} }`,
    scope: 'bookings:read',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.calendarFeeds': {
    ask: `{ calendarFeeds${page} }`,
    scope: 'bookings:read',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.checkIns': { ask: `{ checkIns${page} }`, scope: 'check-ins:read', may: STAFF_AND_TOKENS },
  'Query.kiosk': { ask: '{ kiosk(location: "none") { name } }', may: EVERYBODY },
  'Query.kiosks': { ask: '{ kiosks { name } }', may: EVERYBODY },
  'Query.occupancy': {
    ask: '{ occupancy { present } }',
    scope: 'check-ins:read',
    may: STAFF_AND_TOKENS,
  },
  'Query.dayPassTypes': { ask: '{ dayPassTypes { id } }', may: EVERYBODY },
  'Query.discountCodes': {
    ask: `{ discountCodes${page} }`,
    scope: 'orders:read',
    may: STAFF_AND_TOKENS,
  },
  'Query.displays': { ask: `{ displays${page} }`, scope: 'displays:read', may: STAFF_AND_TOKENS },
  'Query.event': { ask: '{ event(slug: "none") { id } }', may: EVERYBODY },
  'Query.events': { ask: `{ events${page} }`, may: EVERYBODY },
  'Query.lookUpMember': {
    ask: `{ lookUpMember(locationId: "${nobody}", query: "ada") { tooMany } }`,
    may: EVERYBODY,
  },
  'Query.location': {
    ask: `{ location(id: "${nobody}") { id } }`,
    scope: 'spaces:read',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.locations': {
    ask: `{ locations${page} }`,
    scope: 'spaces:read',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.mail': { ask: `{ mail(id: "${nobody}") { id } }`, may: MANAGERS },
  'Query.mails': { ask: `{ mails${page} }`, may: MANAGERS },
  'Query.me': { ask: '{ me { id } }', may: SIGNED_IN },
  'Query.member': {
    ask: `{ member(id: "${nobody}") { id } }`,
    scope: 'members:read',
    may: STAFF_AND_TOKENS,
  },
  'Query.members': { ask: `{ members${page} }`, scope: 'members:read', may: STAFF_AND_TOKENS },
  'Query.memberships': {
    ask: `{ memberships${page} }`,
    scope: 'members:read',
    may: STAFF_AND_TOKENS,
  },
  'Query.admission': { ask: '{ admission(code: "none") { code } }', may: EVERYBODY },
  'Query.order': { ask: '{ order(secret: "none") { id } }', may: EVERYBODY },
  'Query.orderById': {
    ask: `{ orderById(id: "${nobody}") { id } }`,
    scope: 'orders:read',
    may: STAFF_AND_TOKENS,
  },
  'Query.orders': { ask: `{ orders${page} }`, scope: 'orders:read', may: STAFF_AND_TOKENS },
  'Query.plan': {
    ask: `{ plan(id: "${nobody}") { id } }`,
    scope: 'members:read',
    may: STAFF_AND_TOKENS,
  },
  'Query.plans': {
    ask: `{ plans${page} }`,
    scope: 'members:read',
    may: STAFF_AND_TOKENS,
  },
  'Query.previewBooking': {
    ask: `{ previewBooking(input: { resourceId: "${nobody}", startsAt: "2026-04-01T09:00:00Z", endsAt: "2026-04-01T10:00:00Z" }) { allowed } }`,
    scope: 'spaces:read',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.previewBookingSeries': {
    ask: `{ previewBookingSeries(input: { resourceId: "${nobody}", startsAt: "2026-04-01T09:00:00Z", endsAt: "2026-04-01T10:00:00Z", rule: "FREQ=DAILY;COUNT=2" }) { conflicts { localStart } } }`,
    scope: 'spaces:read',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.previewReschedule': {
    ask: `{ previewReschedule(id: "${nobody}", startsAt: "2026-04-01T09:00:00Z", endsAt: "2026-04-01T10:00:00Z") { allowed } }`,
    scope: 'bookings:write',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.refunds': { ask: `{ refunds${page} }`, scope: 'orders:read', may: STAFF_AND_TOKENS },
  'Query.resource': {
    ask: `{ resource(id: "${nobody}") { id } }`,
    scope: 'spaces:read',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.resources': {
    ask: `{ resources${page} }`,
    scope: 'spaces:read',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.scopePresets': { ask: '{ scopePresets { name } }', may: EVERYBODY },
  'Query.scopes': { ask: '{ scopes { scope } }', may: EVERYBODY },
  'Query.team': {
    ask: `{ team(id: "${nobody}") { id } }`,
    scope: 'members:read',
    may: STAFF_AND_TOKENS,
  },
  'Query.teams': {
    ask: `{ teams${page} }`,
    scope: 'members:read',
    may: STAFF_AND_TOKENS,
  },
  'Query.waitlist': { ask: `{ waitlist${page} }`, scope: 'orders:read', may: STAFF_AND_TOKENS },
  'Query.viewer': { ask: '{ viewer { kind } }', may: EVERYBODY },
  'Mutation.checkIn': {
    ask: `mutation { checkIn(input: { locationId: "${nobody}", code: "none" }) { result } }`,
    may: EVERYBODY,
  },
  'Mutation.checkOut': {
    ask: `mutation { checkOut(id: "${nobody}") { result } }`,
    may: EVERYBODY,
  },
  'Mutation.cancelBooking': {
    ask: `mutation { cancelBooking(id: "${nobody}") { id } }`,
    scope: 'bookings:write',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'Mutation.cancelEvent': {
    ask: `mutation { cancelEvent(id: "${nobody}") { id } }`,
    scope: 'events:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.createEvent': {
    ask: `mutation { createEvent(input: { title: "x", locationId: "${nobody}", startsAt: "2026-04-01T09:00:00Z", endsAt: "2026-04-01T10:00:00Z" }) { id } }`,
    scope: 'events:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.createTicketType': {
    ask: `mutation { createTicketType(input: { eventId: "${nobody}", name: "x", price: { amount: 0, currency: "EUR" } }) { id } }`,
    scope: 'events:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.deleteEvent': {
    ask: `mutation { deleteEvent(id: "${nobody}") { id } }`,
    scope: 'events:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.deleteTicketType': {
    ask: `mutation { deleteTicketType(id: "${nobody}") { id } }`,
    scope: 'events:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.publishEvent': {
    ask: `mutation { publishEvent(id: "${nobody}") { id } }`,
    scope: 'events:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.updateEvent': {
    ask: `mutation { updateEvent(id: "${nobody}", input: {}) { id } }`,
    scope: 'events:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.updateTicketType': {
    ask: `mutation { updateTicketType(id: "${nobody}", input: {}) { id } }`,
    scope: 'events:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.checkInBooking': {
    ask: `mutation { checkInBooking(id: "${nobody}") { id } }`,
    scope: 'check-ins:write',
    may: STAFF_AND_TOKENS,
  },
  'Mutation.confirmBooking': {
    ask: `mutation { confirmBooking(id: "${nobody}") { id } }`,
    scope: 'bookings:write',
    may: STAFF_AND_TOKENS,
  },
  'Mutation.createBooking': {
    ask: `mutation { createBooking(input: { resourceId: "${nobody}", startsAt: "2026-04-01T09:00:00Z", endsAt: "2026-04-01T10:00:00Z" }) { id } }`,
    scope: 'bookings:write',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'Mutation.createBookingSeries': {
    ask: `mutation { createBookingSeries(input: { resourceId: "${nobody}", startsAt: "2026-04-01T09:00:00Z", endsAt: "2026-04-01T10:00:00Z", rule: "FREQ=DAILY;COUNT=2" }) { id } }`,
    scope: 'bookings:write',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'Mutation.rescheduleBooking': {
    ask: `mutation { rescheduleBooking(id: "${nobody}", startsAt: "2026-04-01T09:00:00Z", endsAt: "2026-04-01T10:00:00Z") { id } }`,
    scope: 'bookings:write',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'Mutation.updateBooking': {
    ask: `mutation { updateBooking(id: "${nobody}", input: { title: "x" }) { id } }`,
    scope: 'bookings:write',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'Mutation.changePassword': {
    ask: 'mutation { changePassword(current: "wrong", next: "wrong") }',
    may: SIGNED_IN,
  },
  'Mutation.createApiToken': {
    ask: 'mutation { createApiToken(input: { name: "x", scopes: [] }) { plainText } }',
    may: MANAGERS,
  },
  'Mutation.createCalendarFeed': {
    ask: `mutation { createCalendarFeed(input: { memberId: "${nobody}" }) { url } }`,
    scope: 'bookings:write',
    may: SIGNED_IN,
  },
  'Mutation.createClosure': {
    ask: `mutation { createClosure(input: { locationId: "${nobody}", startsOn: "2026-03-01", endsOn: "2026-03-01" }) { id } }`,
    scope: 'spaces:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.createDayPassType': {
    ask: `mutation { createDayPassType(input: { locationId: "${nobody}", name: "x", price: { amount: 0, currency: "EUR" } }) { id } }`,
    scope: 'day-passes:write',
    may: STAFF_AND_TOKENS,
  },
  'Mutation.deleteDayPassType': {
    ask: `mutation { deleteDayPassType(id: "${nobody}") { id } }`,
    scope: 'day-passes:write',
    may: STAFF_AND_TOKENS,
  },
  'Mutation.updateDayPassType': {
    ask: `mutation { updateDayPassType(id: "${nobody}", input: { active: false }) { id } }`,
    scope: 'day-passes:write',
    may: STAFF_AND_TOKENS,
  },
  'Mutation.createDiscountCode': {
    ask: `mutation { createDiscountCode(input: { eventId: "${nobody}", percent: 10 }) { id } }`,
    scope: 'events:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.deleteDiscountCode': {
    ask: `mutation { deleteDiscountCode(id: "${nobody}") { id } }`,
    scope: 'events:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.updateDiscountCode': {
    ask: `mutation { updateDiscountCode(id: "${nobody}", input: { active: false }) { id } }`,
    scope: 'events:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.claimPairing': {
    ask: `mutation { claimPairing(input: { pairingCode: "", displayId: "${nobody}", name: "x" }) { display { id } } }`,
    scope: 'displays:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.createAnnouncement': {
    ask: `mutation { createAnnouncement(input: { title: "x", locationId: "${nobody}" }) { id } }`,
    scope: 'displays:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.deleteAnnouncement': {
    ask: `mutation { deleteAnnouncement(id: "${nobody}") { id } }`,
    scope: 'displays:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.rotateDisplayToken': {
    ask: `mutation { rotateDisplayToken(id: "${nobody}") { deviceToken } }`,
    scope: 'displays:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.updateAnnouncement': {
    ask: `mutation { updateAnnouncement(id: "${nobody}", input: {}) { id } }`,
    scope: 'displays:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.updateDisplay': {
    ask: `mutation { updateDisplay(id: "${nobody}", input: {}) { id } }`,
    scope: 'displays:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.createDisplay': {
    ask: `mutation { createDisplay(input: { name: "x", kind: WELCOME, locationId: "${nobody}" }) { deviceToken } }`,
    scope: 'displays:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.createLocation': {
    ask: 'mutation { createLocation(input: { name: "x", slug: "x", timeZone: "Nowhere" }) { id } }',
    scope: 'spaces:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.createMember': {
    ask: 'mutation { createMember(input: { name: "x", email: "no address" }) { id } }',
    scope: 'members:write',
    may: STAFF_AND_TOKENS,
  },
  'Mutation.createMembership': {
    ask: `mutation { createMembership(input: { planId: "${nobody}", memberId: "${nobody}", startsOn: "2026-03-01" }) { id } }`,
    scope: 'members:write',
    may: STAFF_AND_TOKENS,
  },
  'Mutation.createPlan': {
    ask: `mutation { createPlan(input: { name: "x", price: { amount: -1, currency: "EUR" } }) { id } }`,
    scope: 'members:write',
    may: STAFF_AND_TOKENS,
  },
  'Mutation.createResource': {
    ask: `mutation { createResource(input: { name: "x", slug: "x", type: ROOM, locationId: "${nobody}" }) { id } }`,
    scope: 'spaces:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.redeemSignInLink': {
    ask: 'mutation { redeemSignInLink(secret: "none") }',
    may: EVERYBODY,
  },
  'Mutation.requestSignInLink': {
    ask: 'mutation { requestSignInLink(email: "nobody@example.org") }',
    may: EVERYBODY,
  },
  'Mutation.createTeam': {
    ask: `mutation { createTeam(input: { name: " " }) { id } }`,
    scope: 'members:write',
    may: STAFF_AND_TOKENS,
  },
  'Mutation.deleteClosure': {
    ask: `mutation { deleteClosure(id: "${nobody}") { id } }`,
    scope: 'spaces:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.deleteMembership': {
    ask: `mutation { deleteMembership(id: "${nobody}") }`,
    scope: 'members:write',
    may: STAFF_AND_TOKENS,
  },
  'Mutation.deleteTeam': {
    ask: `mutation { deleteTeam(id: "${nobody}") { id } }`,
    scope: 'members:write',
    may: STAFF_AND_TOKENS,
  },
  'Mutation.endMembership': {
    ask: `mutation { endMembership(id: "${nobody}", endsOn: "2026-03-01") { id } }`,
    scope: 'members:write',
    may: STAFF_AND_TOKENS,
  },
  'Mutation.cancelOrder': {
    ask: 'mutation { cancelOrder(secret: "none") { id } }',
    may: EVERYBODY,
  },
  'Mutation.changeAttendee': {
    ask: `mutation { changeAttendee(secret: "none", ticketId: "${nobody}", name: "x") { id } }`,
    may: EVERYBODY,
  },
  'Mutation.confirmOrder': {
    ask: 'mutation { confirmOrder(secret: "none") { id } }',
    may: EVERYBODY,
  },
  'Mutation.findOrders': {
    ask: 'mutation { findOrders(email: "nobody@example.org") }',
    may: EVERYBODY,
  },
  'Mutation.joinWaitlist': {
    ask: `mutation { joinWaitlist(input: { ticketTypeId: "${nobody}", name: "x", email: "x@example.org" }) { quantity } }`,
    may: EVERYBODY,
  },
  'Mutation.leaveWaitlist': {
    ask: 'mutation { leaveWaitlist(secret: "none") }',
    may: EVERYBODY,
  },
  'Mutation.orderDayPasses': {
    ask: `mutation { orderDayPasses(input: { dayPassTypeId: "${nobody}", validOn: "2026-04-01", buyer: { name: "x", email: "x@example.org" } }) { id } }`,
    may: EVERYBODY,
  },
  'Mutation.placeOrder': {
    ask: `mutation { placeOrder(input: { eventId: "${nobody}", buyer: { name: "x", email: "x@example.org" }, items: [{ ticketTypeId: "${nobody}" }] }) { id } }`,
    may: EVERYBODY,
  },
  'Mutation.refundOrder': {
    ask: `mutation { refundOrder(input: { orderId: "${nobody}" }) { id } }`,
    scope: 'orders:write',
    may: STAFF_AND_TOKENS,
  },
  'Mutation.resendConfirmation': {
    ask: 'mutation { resendConfirmation(secret: "none") { id } }',
    may: EVERYBODY,
  },
  'Mutation.resendOrder': {
    ask: `mutation { resendOrder(id: "${nobody}") { id } }`,
    scope: 'orders:write',
    may: STAFF_AND_TOKENS,
  },
  'Mutation.transferTicket': {
    ask: `mutation { transferTicket(secret: "none", ticketId: "${nobody}", attendee: { name: "x", email: "x@example.org" }) { id } }`,
    may: EVERYBODY,
  },
  'Mutation.markOrderPaid': {
    ask: `mutation { markOrderPaid(orderId: "${nobody}") { id } }`,
    scope: 'orders:write',
    may: STAFF_AND_TOKENS,
  },
  'Mutation.retryRefund': {
    ask: `mutation { retryRefund(id: "${nobody}") { id } }`,
    scope: 'orders:write',
    may: STAFF_AND_TOKENS,
  },
  'Mutation.settleRefund': {
    ask: `mutation { settleRefund(id: "${nobody}") { id } }`,
    scope: 'orders:write',
    may: STAFF_AND_TOKENS,
  },
  'Mutation.revokeApiToken': {
    ask: `mutation { revokeApiToken(id: "${nobody}") { id } }`,
    may: MANAGERS,
  },
  'Mutation.revokeCalendarFeed': {
    ask: `mutation { revokeCalendarFeed(id: "${nobody}") { id } }`,
    scope: 'bookings:write',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'Mutation.revokeDisplay': {
    ask: `mutation { revokeDisplay(id: "${nobody}") { id } }`,
    scope: 'displays:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Query.webhook': {
    ask: `{ webhook(id: "${nobody}") { id } }`,
    scope: 'webhooks:read',
    may: MANAGERS_AND_TOKENS,
  },
  'Query.webhookEvents': {
    ask: '{ webhookEvents { name } }',
    scope: 'webhooks:read',
    may: MANAGERS_AND_TOKENS,
  },
  'Query.webhooks': {
    ask: `{ webhooks${page} }`,
    scope: 'webhooks:read',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.createWebhook': {
    ask: 'mutation { createWebhook(input: { url: "https://example.org", events: [] }) { secret } }',
    scope: 'webhooks:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.updateWebhook': {
    ask: `mutation { updateWebhook(id: "${nobody}", input: {}) { id } }`,
    scope: 'webhooks:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.rotateWebhookSecret': {
    ask: `mutation { rotateWebhookSecret(id: "${nobody}", overlapHours: 0) { secret } }`,
    scope: 'webhooks:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.enableWebhook': {
    ask: `mutation { enableWebhook(id: "${nobody}") { id } }`,
    scope: 'webhooks:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.disableWebhook': {
    ask: `mutation { disableWebhook(id: "${nobody}") { id } }`,
    scope: 'webhooks:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.deleteWebhook': {
    ask: `mutation { deleteWebhook(id: "${nobody}") { id } }`,
    scope: 'webhooks:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.replayDelivery': {
    ask: `mutation { replayDelivery(id: "${nobody}") { id } }`,
    scope: 'webhooks:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.sendTestWebhook': {
    ask: `mutation { sendTestWebhook(id: "${nobody}") { id } }`,
    scope: 'webhooks:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.rotateApiToken': {
    ask: `mutation { rotateApiToken(id: "${nobody}", overlapMinutes: 0) { plainText } }`,
    may: MANAGERS,
  },
  'Mutation.setOpeningHours': {
    ask: `mutation { setOpeningHours(locationId: "${nobody}", hours: []) { id } }`,
    scope: 'spaces:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.signIn': {
    ask: 'mutation { signIn(email: "nobody@example.org", password: "wrong") }',
    may: EVERYBODY,
  },
  'Mutation.signOut': { ask: 'mutation { signOut }', may: EVERYBODY },
  'Mutation.updateLocation': {
    ask: `mutation { updateLocation(id: "${nobody}", input: {}) { id } }`,
    scope: 'spaces:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.updateMember': {
    ask: `mutation { updateMember(id: "${nobody}", input: {}) { id } }`,
    scope: 'members:write',
    may: STAFF_AND_TOKENS,
  },
  'Mutation.updatePlan': {
    ask: `mutation { updatePlan(id: "${nobody}", input: {}) { id } }`,
    scope: 'members:write',
    may: STAFF_AND_TOKENS,
  },
  'Mutation.updateResource': {
    ask: `mutation { updateResource(id: "${nobody}", input: {}) { id } }`,
    scope: 'spaces:write',
    may: MANAGERS_AND_TOKENS,
  },
  'Mutation.updateTeam': {
    ask: `mutation { updateTeam(id: "${nobody}", input: {}) { id } }`,
    scope: 'members:write',
    may: STAFF_AND_TOKENS,
  },
  'Subscription.displayStatusChanged': {
    ask: 'subscription { displayStatusChanged(locationId: "none") { at } }',
    scope: 'displays:read',
    may: STAFF_AND_TOKENS,
  },
  'Subscription.occupancyChanged': {
    ask: 'subscription { occupancyChanged(locationId: "none") { present } }',
    scope: 'check-ins:read',
    may: STAFF_AND_TOKENS,
  },
};

const ROUTES: Record<string, Entry> = {
  'GET /bookings': {
    ask: '/bookings?limit=1',
    scope: 'bookings:read',
    may: ['token with', 'member', 'front desk', 'manager', 'owner'],
  },
  'GET /bookings/{id}': {
    ask: `/bookings/${nobody}`,
    scope: 'bookings:read',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'POST /bookings': {
    ask: '/bookings',
    body: {},
    scope: 'bookings:write',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'POST /bookings/{id}/cancel': {
    ask: `/bookings/${nobody}/cancel`,
    body: {},
    scope: 'bookings:write',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'GET /calendars/{secret}.ics': { ask: '/calendars/unknown.ics', may: EVERYBODY },
  'GET /members': { ask: '/members?limit=1', scope: 'members:read', may: STAFF_AND_TOKENS },
  'POST /members': { ask: '/members', body: {}, scope: 'members:write', may: STAFF_AND_TOKENS },
  'GET /resources': {
    ask: '/resources?limit=1',
    scope: 'spaces:read',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'GET /resources/{id}/availability': {
    ask: `/resources/${nobody}/availability?from=2026-03-18T09:00:00Z&to=2026-03-18T10:00:00Z`,
    scope: 'spaces:read',
    may: [...STAFF_AND_TOKENS, 'member'],
  },
  'POST /public/member-lookup': { ask: '/public/member-lookup', body: {}, may: EVERYBODY },
  'POST /public/check-ins': { ask: '/public/check-ins', body: {}, may: EVERYBODY },
  'POST /public/check-ins/{id}/check-out': {
    ask: `/public/check-ins/${nobody}/check-out`,
    body: {},
    may: EVERYBODY,
  },
  'GET /public/day-passes': { ask: '/public/day-passes', may: EVERYBODY },
  'GET /public/events': { ask: '/public/events?limit=1', may: EVERYBODY },
  'GET /public/events/{id_or_slug}': { ask: '/public/events/none', may: EVERYBODY },
  'POST /public/events/{id_or_slug}/orders': {
    ask: '/public/events/none/orders',
    body: {},
    may: EVERYBODY,
  },
  'POST /public/day-passes/orders': { ask: '/public/day-passes/orders', body: {}, may: EVERYBODY },
  'GET /public/orders/{secret}': { ask: '/public/orders/none', may: EVERYBODY },
  'GET /public/orders/{secret}/calendar.ics': {
    ask: '/public/orders/none/calendar.ics',
    may: EVERYBODY,
  },
  'GET /public/orders/{secret}/codes/{id}': {
    ask: `/public/orders/none/codes/${nobody}`,
    may: EVERYBODY,
  },
  'GET /public/orders/{secret}/receipt': { ask: '/public/orders/none/receipt', may: EVERYBODY },
  'POST /public/orders/{secret}/cancel': {
    ask: '/public/orders/none/cancel',
    body: {},
    may: EVERYBODY,
  },
  'POST /public/orders/{secret}/confirm': {
    ask: '/public/orders/none/confirm',
    body: {},
    may: EVERYBODY,
  },
  'POST /public/orders/find': { ask: '/public/orders/find', body: {}, may: EVERYBODY },
  'POST /displays/pairings': { ask: '/displays/pairings', body: { x: 1 }, may: EVERYBODY },
  'GET /displays/pairings/{poll_token}': { ask: '/displays/pairings/none', may: EVERYBODY },
  'GET /displays/state': { ask: '/displays/state', may: ['device'] },
  'GET /displays/heartbeat': { ask: '/displays/heartbeat', may: ['device'] },
  'GET /displays/state/{device_token}': { ask: '/displays/state/unknown', may: [] },
  'GET /displays/heartbeat/{device_token}': { ask: '/displays/heartbeat/unknown', may: [] },
};

let app: TestApp;
let credentials: Record<Exclude<Who, 'token with'>, Credential>;
let deviceToken: string;

beforeAll(async () => {
  app = await startApp();
  const ben = await app.ctx.db.member.findUniqueOrThrow({ where: { email: 'ben@example.org' } });
  await app.ctx.db.user.create({
    data: {
      name: ben.name,
      email: ben.email,
      memberId: ben.id,
      passwordHash: await hashPassword(PASSWORD),
    },
  });
  const location = await app.ctx.db.location.findFirstOrThrow();
  deviceToken = (await app.display({ name: 'Hall', kind: 'welcome', locationId: location.id }))
    .deviceToken;
  credentials = {
    anonymous: {},
    device: { token: deviceToken },
    'token without': { token: await app.token('reports:read') },
    member: {},
    'front desk': {},
    manager: {},
    owner: {},
  };
});
afterAll(() => app.stop());

// A door may end a session, so everybody comes with a fresh one.
async function credentialOf(who: Who, scope: string | undefined): Promise<Credential> {
  if (who === 'token with') return { token: await app.token(scope ?? '*') };
  const email = {
    member: 'ben@example.org',
    'front desk': STAFF.front_desk,
    manager: STAFF.manager,
    owner: STAFF.owner,
  }[who as string];
  return email ? { cookie: await app.signIn(email) } : credentials[who];
}

describe.each(Object.entries(FIELDS))('%s', (name, { ask, scope, may }) => {
  it.each(EVERYBODY)('is answered or refused as it should be for %s', async (who) => {
    const { codes, errors } = await app.graphql(ask, {}, await credentialOf(who, scope));
    const refused =
      !/^Mutation\.(signIn|redeemSignInLink)$/.test(name) &&
      codes.some((code) => code === 'UNAUTHENTICATED' || code === 'FORBIDDEN');
    expect({ who, passes: !refused, errors: refused ? [] : errors }).toEqual({
      who,
      passes: may.includes(who),
      errors: refused ? [] : errors,
    });
    if (refused) expect(codes).toEqual([who === 'anonymous' ? 'UNAUTHENTICATED' : 'FORBIDDEN']);
    expect(codes).not.toContain('INTERNAL');
  });

  if (scope) {
    it(`names ${scope} to a token that lacks it`, async () => {
      const { errors } = await app.graphql(ask, {}, credentials['token without']);
      expect(errors[0]?.extensions).toMatchObject({
        code: 'FORBIDDEN',
        reason: 'MISSING_SCOPE',
        scope,
      });
    });
  }
});

describe.each(Object.entries(ROUTES))('%s', (_, { ask, body, scope, may }) => {
  const init: RequestInit = body
    ? {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }
    : {};

  it.each(EVERYBODY)('is answered or refused as it should be for %s', async (who) => {
    const { status } = await app.rest(ask, await credentialOf(who, scope), init);
    const refused = status === 401 || status === 403;
    expect({ who, passes: !refused }).toEqual({ who, passes: may.includes(who) });
    if (refused) expect(status).toBe(who === 'anonymous' || !scope ? 401 : 403);
    else expect([200, 404, 422]).toContain(status);
  });
});

describe('the doors', () => {
  it('are all walked here, every root field and every route', () => {
    const fields = [
      schema.getQueryType(),
      schema.getMutationType(),
      schema.getSubscriptionType(),
    ].flatMap((root) =>
      Object.keys(root?.getFields() ?? {}).map((field) => `${root?.name}.${field}`),
    );
    expect(Object.keys(FIELDS).sort()).toEqual(fields.sort());
    expect(Object.keys(ROUTES).sort()).toEqual(
      routes.map(({ method, path }) => `${method} ${path}`).sort(),
    );
  });

  it('let nobody change a thing who may only read', () => {
    const mutations = Object.entries(schema.getMutationType()?.getFields() ?? {});
    const scopes = mutations.map(([name, { extensions }]) => [
      name,
      (extensions.pothosOptions as { authScopes: { access: string } }).authScopes.access,
    ]);
    expect(scopes).toContainEqual(['createBooking', 'bookings:write']);
    expect(scopes.filter(([, scope]) => scope?.endsWith(':read'))).toEqual([]);
    const writes = routes.filter(({ method }) => method !== 'GET');
    expect(writes.filter(({ access }) => access.endsWith(':read'))).toEqual([]);
  });

  it('keep the process from starting while one of them declares no scope', () => {
    expect(() => refuseUnguardedFields(buildSchema('type Query { open: String }'))).toThrow(
      /Query.open declares no scope/,
    );
    const open = route({
      method: 'GET',
      path: '/open',
      access: 'public',
      summary: 'Open',
      query: noQuery,
      data: z.object({}),
      answer: async () => ({ data: {} }),
    });
    // @ts-expect-error a route without a scope does not type-check either
    expect(() => refuseUnguardedRoutes([{ ...open, access: undefined }])).toThrow(
      /GET \/open declares no scope/,
    );
  });

  it('let the device itself in by the token in its path', async () => {
    expect((await app.rest(`/displays/state/${deviceToken}`)).status).toBe(200);
    expect((await app.rest(`/displays/heartbeat/${deviceToken}`)).status).toBe(200);
  });
});
