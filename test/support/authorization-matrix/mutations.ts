import {
  type Entry,
  EVERYONE,
  MANAGERS,
  MANAGERS_AND_TOKENS,
  OWNERS,
  SIGNED_IN,
  STAFF_AND_TOKENS,
  UNKNOWN_ID,
} from './callers.ts';

export const MUTATIONS: Record<string, Entry> = {
  'Mutation.checkIn': {
    request: `mutation { checkIn(input: { locationId: "${UNKNOWN_ID}", code: "none" }) { checkIn { result } } }`,
    allowed: EVERYONE,
  },
  'Mutation.checkOut': {
    request: `mutation { checkOut(input: { id: "${UNKNOWN_ID}" }) { checkIn { result } } }`,
    allowed: EVERYONE,
  },
  'Mutation.confirmMemberEmail': {
    request: 'mutation { confirmMemberEmail(input: { secret: "none" }) { confirmation } }',
    allowed: EVERYONE,
  },
  'Mutation.rejectMemberEmailChange': {
    request: 'mutation { rejectMemberEmailChange(input: { secret: "none" }) { rejectedEmail } }',
    allowed: EVERYONE,
  },
  'Mutation.resendMemberConfirmation': {
    request: `mutation { resendMemberConfirmation(input: { id: "${UNKNOWN_ID}" }) { member { id } } }`,
    scope: 'members:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.cancelMemberEmailChange': {
    request: `mutation { cancelMemberEmailChange(input: { id: "${UNKNOWN_ID}" }) { member { id } } }`,
    scope: 'members:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.approveMemberEmailChange': {
    request: `mutation { approveMemberEmailChange(input: { id: "${UNKNOWN_ID}" }) { member { id } } }`,
    allowed: MANAGERS,
  },
  'Mutation.cancelBooking': {
    request: `mutation { cancelBooking(input: { id: "${UNKNOWN_ID}" }) { booking { id } } }`,
    scope: 'bookings:write',
    allowed: [...STAFF_AND_TOKENS, 'member'],
  },
  'Mutation.cancelEvent': {
    request: `mutation { cancelEvent(input: { id: "${UNKNOWN_ID}" }) { event { id } } }`,
    scope: 'events:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.createEvent': {
    request: `mutation { createEvent(input: { title: "x", locationId: "${UNKNOWN_ID}", startsAt: "2026-04-01T09:00:00Z", endsAt: "2026-04-01T10:00:00Z" }) { event { id } } }`,
    scope: 'events:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.createTicketType': {
    request: `mutation { createTicketType(input: { eventId: "${UNKNOWN_ID}", name: "x", price: { amount: 0, currency: "EUR" } }) { ticketType { id } } }`,
    scope: 'events:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.erasePersonalData': {
    request: `mutation { erasePersonalData(input: { memberId: "${UNKNOWN_ID}" }) { erasure { id } } }`,
    allowed: MANAGERS,
  },
  'Mutation.exportPersonalData': {
    request: `mutation { exportPersonalData(input: { memberId: "${UNKNOWN_ID}" }) { fileName } }`,
    allowed: MANAGERS,
  },
  'Mutation.updateRetentionPolicy': {
    request:
      'mutation { updateRetentionPolicy(input: { key: "none" }) { retentionPolicy { key } } }',
    allowed: ['owner'],
  },
  'Mutation.deleteEvent': {
    request: `mutation { deleteEvent(input: { id: "${UNKNOWN_ID}" }) { deletedEventId } }`,
    scope: 'events:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.deleteTicketType': {
    request: `mutation { deleteTicketType(input: { id: "${UNKNOWN_ID}" }) { deletedTicketTypeId } }`,
    scope: 'events:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.publishEvent': {
    request: `mutation { publishEvent(input: { id: "${UNKNOWN_ID}" }) { event { id } } }`,
    scope: 'events:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.updateEvent': {
    request: `mutation { updateEvent(input: { id: "${UNKNOWN_ID}" }) { event { id } } }`,
    scope: 'events:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.updateTicketType': {
    request: `mutation { updateTicketType(input: { id: "${UNKNOWN_ID}" }) { ticketType { id } } }`,
    scope: 'events:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.checkInBooking': {
    request: `mutation { checkInBooking(input: { id: "${UNKNOWN_ID}" }) { booking { id } } }`,
    scope: 'check-ins:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.confirmBooking': {
    request: `mutation { confirmBooking(input: { id: "${UNKNOWN_ID}" }) { booking { id } } }`,
    scope: 'bookings:write',
    allowed: STAFF_AND_TOKENS,
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
  'Mutation.changePassword': {
    request:
      'mutation { changePassword(input: { current: "wrong", next: "wrong" }) { viewer { kind } } }',
    allowed: SIGNED_IN,
  },
  'Mutation.createApiToken': {
    request: 'mutation { createApiToken(input: { name: "x", scopes: [] }) { secret } }',
    allowed: MANAGERS,
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
  'Mutation.createDayPassType': {
    request: `mutation { createDayPassType(input: { locationId: "${UNKNOWN_ID}", name: "x", price: { amount: 0, currency: "EUR" } }) { dayPassType { id } } }`,
    scope: 'day-passes:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.deleteDayPassType': {
    request: `mutation { deleteDayPassType(input: { id: "${UNKNOWN_ID}" }) { deletedDayPassTypeId } }`,
    scope: 'day-passes:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.updateDayPassType': {
    request: `mutation { updateDayPassType(input: { id: "${UNKNOWN_ID}", active: false }) { dayPassType { id } } }`,
    scope: 'day-passes:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.createDiscountCode': {
    request: `mutation { createDiscountCode(input: { eventId: "${UNKNOWN_ID}", percent: 10 }) { discountCode { id } } }`,
    scope: 'events:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.deleteDiscountCode': {
    request: `mutation { deleteDiscountCode(input: { id: "${UNKNOWN_ID}" }) { deletedDiscountCodeId } }`,
    scope: 'events:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.updateDiscountCode': {
    request: `mutation { updateDiscountCode(input: { id: "${UNKNOWN_ID}", active: false }) { discountCode { id } } }`,
    scope: 'events:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.claimPairing': {
    request: `mutation { claimPairing(input: { pairingCode: "", displayId: "${UNKNOWN_ID}", name: "x" }) { display { id } } }`,
    scope: 'displays:write',
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
  'Mutation.createMember': {
    request:
      'mutation { createMember(input: { name: "x", email: "no address" }) { member { id } } }',
    scope: 'members:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.createMembership': {
    request: `mutation { createMembership(input: { planId: "${UNKNOWN_ID}", memberId: "${UNKNOWN_ID}", startsOn: "2026-03-01" }) { membership { id } } }`,
    scope: 'members:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.createPlan': {
    request: `mutation { createPlan(input: { name: "x", price: { amount: -1, currency: "EUR" } }) { plan { id } } }`,
    scope: 'plans:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.createResource': {
    request: `mutation { createResource(input: { name: "x", slug: "x", type: ROOM, locationId: "${UNKNOWN_ID}" }) { resource { id } } }`,
    scope: 'spaces:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.redeemSignInLink': {
    request: 'mutation { redeemSignInLink(input: { secret: "none" }) { viewer { kind } } }',
    allowed: EVERYONE,
  },
  'Mutation.requestSignInLink': {
    request: 'mutation { requestSignInLink(input: { email: "nobody@example.org" }) { email } }',
    allowed: EVERYONE,
  },
  'Mutation.createTeam': {
    request: `mutation { createTeam(input: { name: " " }) { team { id } } }`,
    scope: 'members:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.deleteClosure': {
    request: `mutation { deleteClosure(input: { id: "${UNKNOWN_ID}" }) { deletedClosureId } }`,
    scope: 'spaces:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.deleteMembership': {
    request: `mutation { deleteMembership(input: { id: "${UNKNOWN_ID}" }) { deletedMembershipId } }`,
    scope: 'members:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.deleteTeam': {
    request: `mutation { deleteTeam(input: { id: "${UNKNOWN_ID}" }) { deletedTeamId } }`,
    scope: 'members:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.endMembership': {
    request: `mutation { endMembership(input: { id: "${UNKNOWN_ID}", endsOn: "2026-03-01" }) { membership { id } } }`,
    scope: 'members:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.cancelOrder': {
    request: 'mutation { cancelOrder(input: { secret: "none" }) { order { id } } }',
    allowed: EVERYONE,
  },
  'Mutation.changeAttendee': {
    request: `mutation { changeAttendee(input: { secret: "none", ticketId: "${UNKNOWN_ID}", name: "x" }) { order { id } } }`,
    allowed: EVERYONE,
  },
  'Mutation.confirmOrder': {
    request: 'mutation { confirmOrder(input: { secret: "none" }) { order { id } } }',
    allowed: EVERYONE,
  },
  'Mutation.findOrders': {
    request: 'mutation { findOrders(input: { email: "nobody@example.org" }) { email } }',
    allowed: EVERYONE,
  },
  'Mutation.joinWaitlist': {
    request: `mutation { joinWaitlist(input: { ticketTypeId: "${UNKNOWN_ID}", name: "x", email: "x@example.org" }) { quantity } }`,
    allowed: EVERYONE,
  },
  'Mutation.leaveWaitlist': {
    request: 'mutation { leaveWaitlist(input: { secret: "none" }) { quantity } }',
    allowed: EVERYONE,
  },
  'Mutation.orderDayPasses': {
    request: `mutation { orderDayPasses(input: { dayPassTypeId: "${UNKNOWN_ID}", validOn: "2026-04-01", buyer: { name: "x", email: "x@example.org" } }) { order { id } } }`,
    allowed: EVERYONE,
  },
  'Mutation.placeOrder': {
    request: `mutation { placeOrder(input: { eventId: "${UNKNOWN_ID}", buyer: { name: "x", email: "x@example.org" }, items: [{ ticketTypeId: "${UNKNOWN_ID}" }] }) { order { id } } }`,
    allowed: EVERYONE,
  },
  'Mutation.refundOrder': {
    request: `mutation { refundOrder(input: { id: "${UNKNOWN_ID}" }) { order { id } } }`,
    scope: 'orders:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.releaseHolds': {
    request: `mutation { releaseHolds(input: { eventId: "${UNKNOWN_ID}", key: "00" }) { orderCount } }`,
    scope: 'orders:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.resendConfirmation': {
    request: 'mutation { resendConfirmation(input: { secret: "none" }) { order { id } } }',
    allowed: EVERYONE,
  },
  'Mutation.resendOrder': {
    request: `mutation { resendOrder(input: { id: "${UNKNOWN_ID}" }) { order { id } } }`,
    scope: 'orders:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.revokeOrderLinks': {
    request: `mutation { revokeOrderLinks(input: { id: "${UNKNOWN_ID}" }) { order { id } } }`,
    scope: 'orders:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.transferTicket': {
    request: `mutation { transferTicket(input: { secret: "none", ticketId: "${UNKNOWN_ID}", attendee: { name: "x", email: "x@example.org" } }) { order { id } } }`,
    allowed: EVERYONE,
  },
  'Mutation.markOrderPaid': {
    request: `mutation { markOrderPaid(input: { id: "${UNKNOWN_ID}" }) { order { id } } }`,
    scope: 'orders:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.retryRefund': {
    request: `mutation { retryRefund(input: { id: "${UNKNOWN_ID}" }) { refund { id } } }`,
    scope: 'orders:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.settleRefund': {
    request: `mutation { settleRefund(input: { id: "${UNKNOWN_ID}" }) { refund { id } } }`,
    scope: 'orders:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.revokeApiToken': {
    request: `mutation { revokeApiToken(input: { id: "${UNKNOWN_ID}" }) { apiToken { id } } }`,
    allowed: MANAGERS,
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
  'Mutation.createWebhook': {
    request:
      'mutation { createWebhook(input: { url: "https://example.org", events: [] }) { secret } }',
    scope: 'webhooks:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.updateWebhook': {
    request: `mutation { updateWebhook(input: { id: "${UNKNOWN_ID}" }) { webhook { id } } }`,
    scope: 'webhooks:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.rotateWebhookSecret': {
    request: `mutation { rotateWebhookSecret(input: { id: "${UNKNOWN_ID}", overlapHours: 0 }) { secret } }`,
    scope: 'webhooks:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.enableWebhook': {
    request: `mutation { enableWebhook(input: { id: "${UNKNOWN_ID}" }) { webhook { id } } }`,
    scope: 'webhooks:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.disableWebhook': {
    request: `mutation { disableWebhook(input: { id: "${UNKNOWN_ID}" }) { webhook { id } } }`,
    scope: 'webhooks:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.deleteWebhook': {
    request: `mutation { deleteWebhook(input: { id: "${UNKNOWN_ID}" }) { deletedWebhookId } }`,
    scope: 'webhooks:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.replayDelivery': {
    request: `mutation { replayDelivery(input: { id: "${UNKNOWN_ID}" }) { webhookDelivery { id } } }`,
    scope: 'webhooks:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.sendTestWebhook': {
    request: `mutation { sendTestWebhook(input: { id: "${UNKNOWN_ID}" }) { webhookDelivery { id } } }`,
    scope: 'webhooks:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.rotateApiToken': {
    request: `mutation { rotateApiToken(input: { id: "${UNKNOWN_ID}", overlapMinutes: 0 }) { secret } }`,
    allowed: MANAGERS,
  },
  'Mutation.setOpeningHours': {
    request: `mutation { setOpeningHours(input: { locationId: "${UNKNOWN_ID}", hours: [] }) { location { id } } }`,
    scope: 'spaces:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.signIn': {
    request:
      'mutation { signIn(input: { email: "nobody@example.org", password: "wrong" }) { viewer { kind } } }',
    allowed: EVERYONE,
  },
  'Mutation.signOut': { request: 'mutation { signOut { viewer { kind } } }', allowed: EVERYONE },
  'Mutation.updateLocation': {
    request: `mutation { updateLocation(input: { id: "${UNKNOWN_ID}" }) { location { id } } }`,
    scope: 'spaces:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.updateMember': {
    request: `mutation { updateMember(input: { id: "${UNKNOWN_ID}" }) { member { id } } }`,
    scope: 'members:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.updatePlan': {
    request: `mutation { updatePlan(input: { id: "${UNKNOWN_ID}" }) { plan { id } } }`,
    scope: 'plans:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.updateResource': {
    request: `mutation { updateResource(input: { id: "${UNKNOWN_ID}" }) { resource { id } } }`,
    scope: 'spaces:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Mutation.updateTeam': {
    request: `mutation { updateTeam(input: { id: "${UNKNOWN_ID}" }) { team { id } } }`,
    scope: 'members:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.acceptStaffLink': {
    request:
      'mutation { acceptStaffLink(input: { secret: "none", password: "none" }) { staffUser { id } } }',
    allowed: EVERYONE,
  },
  'Mutation.disableStaff': {
    request: `mutation { disableStaff(input: { id: "${UNKNOWN_ID}" }) { staffUser { id } } }`,
    allowed: OWNERS,
  },
  'Mutation.enableStaff': {
    request: `mutation { enableStaff(input: { id: "${UNKNOWN_ID}" }) { staffUser { id } } }`,
    allowed: OWNERS,
  },
  'Mutation.endOtherSessions': {
    request: 'mutation { endOtherSessions { sessions { id } } }',
    allowed: SIGNED_IN,
  },
  'Mutation.endSession': {
    request: `mutation { endSession(input: { id: "${UNKNOWN_ID}" }) { session { id } } }`,
    allowed: SIGNED_IN,
  },
  'Mutation.inviteStaff': {
    request: 'mutation { inviteStaff(input: { name: "x", email: "none", role: MANAGER }) { url } }',
    allowed: OWNERS,
  },
  'Mutation.resendStaffInvitation': {
    request: `mutation { resendStaffInvitation(input: { id: "${UNKNOWN_ID}" }) { url } }`,
    allowed: OWNERS,
  },
  'Mutation.resetStaffPassword': {
    request: `mutation { resetStaffPassword(input: { id: "${UNKNOWN_ID}" }) { url } }`,
    allowed: OWNERS,
  },
  'Mutation.setStaffRole': {
    request: `mutation { setStaffRole(input: { id: "${UNKNOWN_ID}", role: MANAGER }) { staffUser { id } } }`,
    allowed: OWNERS,
  },
  'Mutation.withdrawStaffInvitation': {
    request: `mutation { withdrawStaffInvitation(input: { id: "${UNKNOWN_ID}" }) { deletedStaffUserId } }`,
    allowed: OWNERS,
  },
};
