import {
  type Entry,
  EVERYONE,
  FIRST_PAGE,
  MANAGERS,
  MANAGERS_AND_TOKENS,
  OWNERS,
  SIGNED_IN,
  STAFF,
  STAFF_AND_TOKENS,
  UNKNOWN_ID,
} from './callers.ts';

export const QUERIES: Record<string, Entry> = {
  'Query.announcements': {
    request: `{ announcements${FIRST_PAGE} }`,
    scope: 'displays:read',
    allowed: STAFF_AND_TOKENS,
  },
  'Query.mailing': {
    request: `{ mailing(id: "${UNKNOWN_ID}") { id } }`,
    scope: 'mailings:read',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Query.mailings': {
    request: `{ mailings${FIRST_PAGE} }`,
    scope: 'mailings:read',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Query.previewMailing': {
    request: `{ previewMailing(input: { subject: "x", body: "x", audience: ATTENDEES, eventId: "${UNKNOWN_ID}" }) { recipients } }`,
    scope: 'mailings:write',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Query.apiTokens': { request: `{ apiTokens${FIRST_PAGE} }`, allowed: MANAGERS },
  'Query.importById': { request: `{ importById(id: "${UNKNOWN_ID}") { id } }`, allowed: MANAGERS },
  'Query.imports': { request: `{ imports${FIRST_PAGE} }`, allowed: MANAGERS },
  'Query.importRows': { request: `{ importRows${FIRST_PAGE} }`, allowed: MANAGERS },
  'Query.erasures': { request: `{ erasures${FIRST_PAGE} }`, allowed: MANAGERS },
  'Query.personalData': {
    request: `{ personalData(person: { memberId: "${UNKNOWN_ID}" }) { names } }`,
    allowed: MANAGERS,
  },
  'Query.retentionPolicies': { request: '{ retentionPolicies { key } }', allowed: MANAGERS },
  'Query.emailPreferences': {
    request: '{ emailPreferences(secret: "none") { receivesReminders } }',
    allowed: EVERYONE,
  },
  'Query.emailDelivery': {
    request: '{ emailDelivery { hasMailServer } }',
    scope: 'members:read',
    allowed: STAFF_AND_TOKENS,
  },
  'Query.emailTemplates': { request: '{ emailTemplates { key } }', allowed: MANAGERS },
  'Query.emailTemplate': { request: '{ emailTemplate(key: "none") { key } }', allowed: MANAGERS },
  'Query.previewEmailTemplate': {
    request: '{ previewEmailTemplate(key: "none", subject: "x", body: "x") { subject } }',
    allowed: MANAGERS,
  },
  'Query.availability': {
    request: `{ availability(resourceId: "${UNKNOWN_ID}", from: "2026-04-01T00:00:00Z", to: "2026-04-02T00:00:00Z") { free { startsAt } } }`,
    scope: 'spaces:read',
    allowed: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.booking': {
    request: `{ booking(id: "${UNKNOWN_ID}") { id } }`,
    scope: 'bookings:read',
    allowed: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.bookings': {
    request: `{ bookings${FIRST_PAGE} }`,
    scope: 'bookings:read',
    allowed: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.bookingTotals': {
    request: '{ bookingTotals(filter: { payment: [UNPAID] }) { count } }',
    scope: 'bookings:read',
    allowed: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.cashDay': {
    request: `{ cashDay(locationId: "${UNKNOWN_ID}", day: "2026-03-18") { day } }`,
    scope: 'orders:read',
    allowed: STAFF_AND_TOKENS,
  },
  'Query.dailyClosings': {
    request: `{ dailyClosings${FIRST_PAGE} }`,
    allowed: MANAGERS,
  },
  'Query.takings': {
    request: `{ takings(locationId: "${UNKNOWN_ID}", from: "2026-03-18", to: "2026-03-18") { total { paymentCount } } }`,
    scope: 'orders:read',
    allowed: STAFF_AND_TOKENS,
  },
  'Query.changes': {
    request: `{ changes${FIRST_PAGE} }`,
    scope: 'webhooks:read',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Query.calendarFeeds': {
    request: `{ calendarFeeds${FIRST_PAGE} }`,
    scope: 'bookings:read',
    allowed: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.checkIns': {
    request: `{ checkIns${FIRST_PAGE} }`,
    scope: 'check-ins:read',
    allowed: STAFF_AND_TOKENS,
  },
  'Query.node': { request: `{ node(id: "${UNKNOWN_ID}") { id } }`, allowed: EVERYONE },
  'Query.nodes': { request: `{ nodes(ids: ["${UNKNOWN_ID}"]) { id } }`, allowed: EVERYONE },
  'Query.kiosk': { request: '{ kiosk(location: "none") { name } }', allowed: EVERYONE },
  'Query.kiosks': { request: '{ kiosks { name } }', allowed: EVERYONE },
  'Query.expectedArrivals': {
    request: '{ expectedArrivals { name } }',
    scope: 'check-ins:read',
    allowed: STAFF_AND_TOKENS,
  },
  'Query.occupancy': {
    request: '{ occupancy { present } }',
    scope: 'check-ins:read',
    allowed: STAFF_AND_TOKENS,
  },
  'Query.publicAvailability': {
    request: '{ publicAvailability(location: "unknown") { date } }',
    allowed: EVERYONE,
  },
  'Query.dayPassTypes': { request: '{ dayPassTypes { id } }', allowed: EVERYONE },
  'Query.discountCodes': {
    request: `{ discountCodes${FIRST_PAGE} }`,
    scope: 'orders:read',
    allowed: STAFF_AND_TOKENS,
  },
  'Query.displays': {
    request: `{ displays${FIRST_PAGE} }`,
    scope: 'displays:read',
    allowed: STAFF_AND_TOKENS,
  },
  'Query.errorReasons': { request: '{ errorReasons { reason } }', allowed: EVERYONE },
  'Query.event': { request: '{ event(slug: "none") { id } }', allowed: EVERYONE },
  'Query.events': { request: `{ events${FIRST_PAGE} }`, allowed: EVERYONE },
  'Query.lookUpMember': {
    request: `{ lookUpMember(locationId: "${UNKNOWN_ID}", query: "ada") { tooMany } }`,
    allowed: EVERYONE,
  },
  'Query.location': {
    request: `{ location(id: "${UNKNOWN_ID}") { id } }`,
    scope: 'spaces:read',
    allowed: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.locations': {
    request: `{ locations${FIRST_PAGE} }`,
    scope: 'spaces:read',
    allowed: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.mail': { request: `{ mail(id: "${UNKNOWN_ID}") { id } }`, allowed: MANAGERS },
  'Query.mails': { request: `{ mails${FIRST_PAGE} }`, allowed: MANAGERS },
  'Query.me': { request: '{ me { id } }', allowed: SIGNED_IN },
  'Query.member': {
    request: `{ member(id: "${UNKNOWN_ID}") { id } }`,
    scope: 'members:read',
    allowed: STAFF_AND_TOKENS,
  },
  'Query.members': {
    request: `{ members${FIRST_PAGE} }`,
    scope: 'members:read',
    allowed: STAFF_AND_TOKENS,
  },
  'Query.memberships': {
    request: `{ memberships${FIRST_PAGE} }`,
    scope: 'members:read',
    allowed: STAFF_AND_TOKENS,
  },
  'Query.admission': { request: '{ admission(code: "none") { code } }', allowed: EVERYONE },
  'Query.order': { request: '{ order(secret: "none") { id } }', allowed: EVERYONE },
  'Query.orderById': {
    request: `{ orderById(id: "${UNKNOWN_ID}") { id } }`,
    scope: 'orders:read',
    allowed: STAFF_AND_TOKENS,
  },
  'Query.orders': {
    request: `{ orders${FIRST_PAGE} }`,
    scope: 'orders:read',
    allowed: STAFF_AND_TOKENS,
  },
  'Query.tickets': {
    request: `{ tickets${FIRST_PAGE} }`,
    scope: 'orders:read',
    allowed: STAFF_AND_TOKENS,
  },
  'Query.dayPasses': {
    request: `{ dayPasses${FIRST_PAGE} }`,
    scope: 'orders:read',
    allowed: STAFF_AND_TOKENS,
  },
  'Query.payments': {
    request: `{ payments${FIRST_PAGE} }`,
    scope: 'orders:read',
    allowed: STAFF_AND_TOKENS,
  },
  'Query.plan': {
    request: `{ plan(id: "${UNKNOWN_ID}") { id } }`,
    scope: 'plans:read',
    allowed: STAFF_AND_TOKENS,
  },
  'Query.plans': {
    request: `{ plans${FIRST_PAGE} }`,
    scope: 'plans:read',
    allowed: STAFF_AND_TOKENS,
  },
  'Query.previewBooking': {
    request: `{ previewBooking(input: { resourceId: "${UNKNOWN_ID}", startsAt: "2026-04-01T09:00:00Z", endsAt: "2026-04-01T10:00:00Z" }) { allowed } }`,
    scope: 'spaces:read',
    allowed: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.previewBookingSeries': {
    request: `{ previewBookingSeries(input: { resourceId: "${UNKNOWN_ID}", startsAt: "2026-04-01T09:00:00Z", endsAt: "2026-04-01T10:00:00Z", rule: "FREQ=DAILY;COUNT=2" }) { conflicts { localStart } } }`,
    scope: 'spaces:read',
    allowed: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.previewReschedule': {
    request: `{ previewReschedule(id: "${UNKNOWN_ID}", startsAt: "2026-04-01T09:00:00Z", endsAt: "2026-04-01T10:00:00Z") { allowed } }`,
    scope: 'bookings:write',
    allowed: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.refunds': {
    request: `{ refunds${FIRST_PAGE} }`,
    scope: 'orders:read',
    allowed: STAFF_AND_TOKENS,
  },
  'Query.resource': {
    request: `{ resource(id: "${UNKNOWN_ID}") { id } }`,
    scope: 'spaces:read',
    allowed: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.resources': {
    request: `{ resources${FIRST_PAGE} }`,
    scope: 'spaces:read',
    allowed: [...STAFF_AND_TOKENS, 'member'],
  },
  'Query.scopePresets': { request: '{ scopePresets { name } }', allowed: EVERYONE },
  'Query.scopes': { request: '{ scopes { scope } }', allowed: EVERYONE },
  'Query.suspiciousHolds': {
    request: `{ suspiciousHolds(eventId: "${UNKNOWN_ID}") { key } }`,
    scope: 'orders:read',
    allowed: STAFF_AND_TOKENS,
  },
  'Query.team': {
    request: `{ team(id: "${UNKNOWN_ID}") { id } }`,
    scope: 'members:read',
    allowed: STAFF_AND_TOKENS,
  },
  'Query.teams': {
    request: `{ teams${FIRST_PAGE} }`,
    scope: 'members:read',
    allowed: STAFF_AND_TOKENS,
  },
  'Query.waitlistEntry': {
    request: '{ waitlistEntry(secret: "none") { quantity } }',
    allowed: EVERYONE,
  },
  'Query.waitlist': {
    request: `{ waitlist${FIRST_PAGE} }`,
    scope: 'orders:read',
    allowed: STAFF_AND_TOKENS,
  },
  'Query.viewer': { request: '{ viewer { kind } }', allowed: EVERYONE },
  'Query.webhook': {
    request: `{ webhook(id: "${UNKNOWN_ID}") { id } }`,
    scope: 'webhooks:read',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Query.webhookDelivery': {
    request: `{ webhookDelivery(id: "${UNKNOWN_ID}") { id } }`,
    scope: 'webhooks:read',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Query.webhookEvents': {
    request: '{ webhookEvents { name } }',
    scope: 'webhooks:read',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Query.webhookDeliveries': {
    request: `{ webhookDeliveries${FIRST_PAGE} }`,
    scope: 'webhooks:read',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Query.webhooks': {
    request: `{ webhooks${FIRST_PAGE} }`,
    scope: 'webhooks:read',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Query.paymentProvider': {
    request: '{ paymentProvider }',
    allowed: EVERYONE,
  },
  'Query.notificationSettings': {
    request: '{ notificationSettings { offlineDisplays } }',
    allowed: STAFF,
  },
  'Query.mySessions': { request: '{ mySessions { id } }', allowed: SIGNED_IN },
  'Query.settings': { request: '{ settings { language } }', allowed: MANAGERS },
  'Query.setup': { request: '{ setup { isOpen } }', allowed: EVERYONE },
  'Query.setupChecklist': { request: '{ setupChecklist { dismissedAt } }', allowed: OWNERS },
  'Query.systemStatus': { request: '{ systemStatus { checkedAt } }', allowed: MANAGERS },
  'Query.staff': { request: `{ staff${FIRST_PAGE} }`, allowed: MANAGERS },
  'Query.staffLink': { request: '{ staffLink(secret: "none") { name } }', allowed: EVERYONE },
};

export const SUBSCRIPTIONS: Record<string, Entry> = {
  'Subscription.displayStatusChanged': {
    request: 'subscription { displayStatusChanged(locationId: "none") { at } }',
    scope: 'displays:read',
    allowed: STAFF_AND_TOKENS,
  },
  'Subscription.changes': {
    request: 'subscription { changes(types: ["unknown"]) { id } }',
    scope: 'webhooks:read',
    allowed: MANAGERS_AND_TOKENS,
  },
  'Subscription.occupancyChanged': {
    request: 'subscription { occupancyChanged(locationId: "none") { present } }',
    scope: 'check-ins:read',
    allowed: STAFF_AND_TOKENS,
  },
};
