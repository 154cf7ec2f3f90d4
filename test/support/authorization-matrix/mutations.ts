import {
  type Entry,
  EVERYBODY,
  MANAGERS,
  MANAGERS_AND_TOKENS,
  nobody,
  OWNERS,
  SIGNED_IN,
  STAFF_AND_TOKENS,
} from './who.ts';

export const MUTATIONS: Record<string, Entry> = {
  'Mutation.checkIn': {
    ask: `mutation { checkIn(input: { locationId: "${nobody}", code: "none" }) { result } }`,
    may: EVERYBODY,
  },
  'Mutation.checkOut': {
    ask: `mutation { checkOut(id: "${nobody}") { result } }`,
    may: EVERYBODY,
  },
  'Mutation.confirmMemberEmail': {
    ask: 'mutation { confirmMemberEmail(secret: "none") }',
    may: EVERYBODY,
  },
  'Mutation.rejectMemberEmailChange': {
    ask: 'mutation { rejectMemberEmailChange(secret: "none") }',
    may: EVERYBODY,
  },
  'Mutation.resendMemberConfirmation': {
    ask: `mutation { resendMemberConfirmation(id: "${nobody}") { id } }`,
    scope: 'members:write',
    may: STAFF_AND_TOKENS,
  },
  'Mutation.cancelMemberEmailChange': {
    ask: `mutation { cancelMemberEmailChange(id: "${nobody}") { id } }`,
    scope: 'members:write',
    may: STAFF_AND_TOKENS,
  },
  'Mutation.approveMemberEmailChange': {
    ask: `mutation { approveMemberEmailChange(id: "${nobody}") { id } }`,
    may: MANAGERS,
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
  'Mutation.erasePersonalData': {
    ask: `mutation { erasePersonalData(input: { memberId: "${nobody}" }) { id } }`,
    may: MANAGERS,
  },
  'Mutation.exportPersonalData': {
    ask: `mutation { exportPersonalData(input: { memberId: "${nobody}" }) { fileName } }`,
    may: MANAGERS,
  },
  'Mutation.updateRetentionPolicy': {
    ask: 'mutation { updateRetentionPolicy(input: { key: "none" }) { key } }',
    may: ['owner'],
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
    scope: 'plans:write',
    may: MANAGERS_AND_TOKENS,
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
  'Mutation.releaseHolds': {
    ask: `mutation { releaseHolds(input: { eventId: "${nobody}", key: "00" }) { orders } }`,
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
  'Mutation.revokeOrderLinks': {
    ask: `mutation { revokeOrderLinks(id: "${nobody}") { id } }`,
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
    scope: 'plans:write',
    may: MANAGERS_AND_TOKENS,
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
  'Mutation.acceptStaffLink': {
    ask: 'mutation { acceptStaffLink(input: { secret: "none", password: "none" }) { id } }',
    may: EVERYBODY,
  },
  'Mutation.disableStaff': {
    ask: `mutation { disableStaff(input: { id: "${nobody}" }) { id } }`,
    may: OWNERS,
  },
  'Mutation.enableStaff': {
    ask: `mutation { enableStaff(input: { id: "${nobody}" }) { id } }`,
    may: OWNERS,
  },
  'Mutation.endOtherSessions': { ask: 'mutation { endOtherSessions { id } }', may: SIGNED_IN },
  'Mutation.endSession': {
    ask: `mutation { endSession(input: { id: "${nobody}" }) { id } }`,
    may: SIGNED_IN,
  },
  'Mutation.inviteStaff': {
    ask: 'mutation { inviteStaff(input: { name: "x", email: "none", role: MANAGER }) { url } }',
    may: OWNERS,
  },
  'Mutation.resendStaffInvitation': {
    ask: `mutation { resendStaffInvitation(input: { id: "${nobody}" }) { url } }`,
    may: OWNERS,
  },
  'Mutation.resetStaffPassword': {
    ask: `mutation { resetStaffPassword(input: { id: "${nobody}" }) { url } }`,
    may: OWNERS,
  },
  'Mutation.setStaffRole': {
    ask: `mutation { setStaffRole(input: { id: "${nobody}", role: MANAGER }) { id } }`,
    may: OWNERS,
  },
  'Mutation.withdrawStaffInvitation': {
    ask: `mutation { withdrawStaffInvitation(input: { id: "${nobody}" }) { id } }`,
    may: OWNERS,
  },
};
