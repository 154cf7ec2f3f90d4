import base from './jest.config.js';

// What depends on the database: races and models, statements with plans or locks of their own, what outlasts a
// connection, and one pass through each feature. `npm run test:nightly` with TEST_DATABASE_URL runs every file there.
const FILES = [
  '(concurrency|properties)/.*',
  // Statements, plans, locks and time zones of a server.
  'db/(change-feed|export|migrations|outages-in-apis|outages-in-jobs|server-time-zone)',
  'api/(idempotency|lists|subscriptions)',
  'auth/(rate-limit-counters|revocation|sessions)',
  'server/(database-outages|job-queue)',
  'features/bookings/availability-cost',
  'features/check-ins/lookup-budget',
  'features/displays/display-cache-consistency',
  'features/events/rooms',
  'features/orders/(seat-limits-races|stock-reconciliation)',
  'features/personal-data/(erase|erase-staff|tables)',
  'features/staff/last-owner',
  // One pass through each feature.
  'auth/(sign-in|tokens)',
  'features/bookings/(availability|bookings|series)',
  'features/calendar-feeds/calendar-feeds',
  'features/check-ins/check-ins',
  'features/day-passes/orders',
  'features/discounts/discounts',
  'features/displays/(announcements|displays|heartbeats|pairing)',
  'features/events/events',
  'features/mails/mail',
  'features/members/(members|teams)',
  'features/orders/(holds|orders|waitlist)',
  'features/payments/refunds',
  'features/plans/(memberships|plans)',
  'features/spaces/spaces',
  'features/webhooks/(events|webhooks)',
  'imports/bookings',
];

export default {
  ...base,
  testRegex: FILES.map((files) => `/test/${files}\\.test\\.ts$`),
  testMatch: undefined,
  // A file holds up to some thirty connections, and a server allows 100 unless it is told otherwise.
  maxWorkers: 2,
};
