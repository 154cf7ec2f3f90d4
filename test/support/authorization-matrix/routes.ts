import { type Entry, EVERYBODY, nobody, STAFF_AND_TOKENS } from './who.ts';

export const ROUTES: Record<string, Entry> = {
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
  'POST /public/check-ins/{check_out_token}/check-out': {
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
