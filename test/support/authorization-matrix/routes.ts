import {
  type Entry,
  EVERYONE,
  MANAGERS_AND_TOKENS,
  STAFF,
  STAFF_AND_TOKENS,
  UNKNOWN_ID,
} from './callers.ts';
import { OBJECT_ROUTES } from './object-routes.ts';

export const ROUTES: Record<string, Entry> = {
  ...OBJECT_ROUTES,
  'GET /bookings': {
    request: '/bookings?limit=1',
    scope: 'bookings:read',
    allowed: ['token with', 'member', 'front desk', 'manager', 'owner'],
  },
  'GET /bookings/{id}': {
    request: `/bookings/${UNKNOWN_ID}`,
    scope: 'bookings:read',
    allowed: [...STAFF_AND_TOKENS, 'member'],
  },
  'POST /bookings': {
    request: '/bookings',
    body: {},
    scope: 'bookings:write',
    allowed: [...STAFF_AND_TOKENS, 'member'],
  },
  'POST /bookings/{id}/cancel': {
    request: `/bookings/${UNKNOWN_ID}/cancel`,
    body: {},
    scope: 'bookings:write',
    allowed: [...STAFF_AND_TOKENS, 'member'],
  },
  'GET /calendars/{secret}.ics': { request: '/calendars/unknown.ics', allowed: EVERYONE },
  'GET /changes': {
    request: '/changes?limit=1',
    scope: 'webhooks:read',
    allowed: MANAGERS_AND_TOKENS,
  },
  'GET /members': { request: '/members?limit=1', scope: 'members:read', allowed: STAFF_AND_TOKENS },
  'POST /members': {
    request: '/members',
    body: {},
    scope: 'members:write',
    allowed: STAFF_AND_TOKENS,
  },
  'GET /resources': {
    request: '/resources?limit=1',
    scope: 'spaces:read',
    allowed: [...STAFF_AND_TOKENS, 'member'],
  },
  'GET /resources/{id}/availability': {
    request: `/resources/${UNKNOWN_ID}/availability?from=2026-03-18T09:00:00Z&to=2026-03-18T10:00:00Z`,
    scope: 'spaces:read',
    allowed: [...STAFF_AND_TOKENS, 'member'],
  },
  'POST /public/member-lookup': { request: '/public/member-lookup', body: {}, allowed: EVERYONE },
  'POST /public/check-ins': { request: '/public/check-ins', body: {}, allowed: EVERYONE },
  'POST /public/check-ins/{check_out_token}/check-out': {
    request: `/public/check-ins/${UNKNOWN_ID}/check-out`,
    body: {},
    allowed: EVERYONE,
  },
  'GET /public/day-passes': { request: '/public/day-passes', allowed: EVERYONE },
  'GET /public/events': { request: '/public/events?limit=1', allowed: EVERYONE },
  'GET /public/events.ics': { request: '/public/events.ics', allowed: EVERYONE },
  'GET /public/events/{id_or_slug}': { request: '/public/events/none', allowed: EVERYONE },
  'POST /public/events/{id_or_slug}/orders': {
    request: '/public/events/none/orders',
    body: {},
    allowed: EVERYONE,
  },
  'POST /public/day-passes/orders': {
    request: '/public/day-passes/orders',
    body: {},
    allowed: EVERYONE,
  },
  'GET /orders/{id}/tickets.pdf': {
    request: `/orders/${UNKNOWN_ID}/tickets.pdf`,
    scope: 'orders:read',
    // A token also needs a scope that shows codes: see test/auth/admission-codes.test.ts.
    allowed: STAFF,
  },
  'GET /public/orders/{secret}': { request: '/public/orders/none', allowed: EVERYONE },
  'GET /public/orders/{secret}/calendar.ics': {
    request: '/public/orders/none/calendar.ics',
    allowed: EVERYONE,
  },
  'GET /public/orders/{secret}/codes/{id}': {
    request: `/public/orders/none/codes/${UNKNOWN_ID}`,
    allowed: EVERYONE,
  },
  'GET /public/orders/{secret}/receipt': {
    request: '/public/orders/none/receipt',
    allowed: EVERYONE,
  },
  'GET /public/orders/{secret}/tickets.pdf': {
    request: '/public/orders/none/tickets.pdf',
    allowed: EVERYONE,
  },
  'POST /public/orders/{secret}/cancel': {
    request: '/public/orders/none/cancel',
    body: {},
    allowed: EVERYONE,
  },
  'POST /public/orders/{secret}/confirm': {
    request: '/public/orders/none/confirm',
    body: {},
    allowed: EVERYONE,
  },
  'POST /public/email-preferences/{secret}/unsubscribe': {
    request: '/public/email-preferences/none/unsubscribe',
    body: {},
    allowed: EVERYONE,
  },
  'POST /public/orders/find': { request: '/public/orders/find', body: {}, allowed: EVERYONE },
  'POST /displays/pairings': { request: '/displays/pairings', body: { x: 1 }, allowed: EVERYONE },
  'GET /displays/pairings/{poll_token}': { request: '/displays/pairings/none', allowed: EVERYONE },
  'GET /displays/state': { request: '/displays/state', allowed: ['device'] },
  'GET /displays/heartbeat': { request: '/displays/heartbeat', allowed: ['device'] },
  'GET /displays/state/{device_token}': { request: '/displays/state/unknown', allowed: [] },
  'GET /displays/heartbeat/{device_token}': { request: '/displays/heartbeat/unknown', allowed: [] },
};
