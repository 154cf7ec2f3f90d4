import {
  type Entry,
  EVERYONE,
  MANAGERS,
  MANAGERS_AND_TOKENS,
  STAFF_AND_TOKENS,
  UNKNOWN_ID,
} from './callers.ts';

/** Mutations of events, tickets, discount codes, day passes, orders and refunds. */
export const SALES_MUTATIONS: Record<string, Entry> = {
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
  'Mutation.updateEmailPreferences': {
    request:
      'mutation { updateEmailPreferences(input: { secret: "none", receivesReminders: true }) { emailPreferences { receivesReminders } } }',
    allowed: EVERYONE,
  },
  'Mutation.changeWaitlistEntry': {
    request:
      'mutation { changeWaitlistEntry(input: { secret: "none", quantity: 1 }) { waitlistEntry { quantity } } }',
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
  'Mutation.extendOrderHold': {
    request: `mutation { extendOrderHold(input: { id: "${UNKNOWN_ID}", until: "2030-01-01T00:00:00Z" }) { order { id } } }`,
    scope: 'orders:write',
    allowed: STAFF_AND_TOKENS,
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
  'Mutation.closeDay': {
    request: `mutation { closeDay(input: { locationId: "${UNKNOWN_ID}", day: "2026-03-18", opening: { amount: 0, currency: "EUR" }, counted: { amount: 0, currency: "EUR" } }) { dailyClosing { id } } }`,
    scope: 'orders:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.correctDailyClosing': {
    request: `mutation { correctDailyClosing(input: { id: "${UNKNOWN_ID}" }) { dailyClosing { id } } }`,
    allowed: MANAGERS,
  },
  'Mutation.markBookingPaid': {
    request: `mutation { markBookingPaid(input: { id: "${UNKNOWN_ID}", method: CASH }) { outcome } }`,
    scope: 'orders:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.markBookingUnpaid': {
    request: `mutation { markBookingUnpaid(input: { id: "${UNKNOWN_ID}", reason: "x" }) { booking { id } } }`,
    scope: 'orders:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.returnBookingPayment': {
    request: `mutation { returnBookingPayment(input: { id: "${UNKNOWN_ID}", method: CASH }) { booking { id } } }`,
    scope: 'orders:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.markOrderPaid': {
    request: `mutation { markOrderPaid(input: { id: "${UNKNOWN_ID}" }) { order { id } } }`,
    scope: 'orders:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.sellDayPass': {
    request: `mutation { sellDayPass(input: { checkIn: false, dayPassTypeId: "${UNKNOWN_ID}", name: "Zoe" }) { order { id } } }`,
    scope: 'orders:write',
    allowed: STAFF_AND_TOKENS,
  },
  'Mutation.sellTicket': {
    request: `mutation { sellTicket(input: { checkIn: false, ticketTypeId: "${UNKNOWN_ID}", name: "Zoe" }) { order { id } } }`,
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
};
