import base from './jest.config.js';

// What depends on the database: races and models, statements with plans or locks of their own, what outlasts a
// connection, and one pass through each noun. `npm test` with TEST_DATABASE_URL runs every file on PostgreSQL.
const FILES = [
  '(concurrency|properties|db)/.*',
  '(announcements|availability-cost|availability|bookings|booking-series|calendar-feeds|check-ins|day-pass-orders)',
  '(discounts|displays|display-contents|display-freshness|display-pulses|dump|events|events-rooms|feed|idempotency)',
  '(imports-bookings|jobs|lists|live|lookup-budget|mail|members|memberships|migrations|orders|orders-holds|orders-recount)',
  '(outages|pairing|payments-events|payments-refunds|plans|revocation|server-time-zone|sign-in|spaces|teams|tokens)',
  '(waitlist|waitlist-offers|webhooks|webhooks-events)',
  'features/.*',
];

export default {
  ...base,
  testRegex: FILES.map((files) => `/test/${files}\\.test\\.ts$`),
  testMatch: undefined,
  // A file holds up to some thirty connections, and a server allows 100 unless it is told otherwise.
  maxWorkers: 2,
};
