import { base } from './jest.config.js';

// Tests that depend on the database: races and models, statements with special plans or locks, tests of connections, and
// one pass through each command. `npm run test:nightly` with TEST_DATABASE_URL runs every file on PostgreSQL.
const FILES = [
  '(concurrency|properties)/.*',
  // Statements, plans, locks and time zones of a server.
  'db/(backups|backup-kill|nightly-backups|change-feed|database-locales|import-revisions|migrations|outages-in-apis|outages-in-jobs|prepared-statements|query-plans|server-time-zone)',
  'api/(graph-(people|requests)|idempotency|lists|(planned-)?subscriptions|subscription-access|versions)',
  'auth/(rate-limit-counters|revocation|sessions)',
  'server/(database-outages|job-queue|startup-privileges)',
  'lists/.*',
  'features/check-ins/lookup-budget-races',
  'features/displays/display-cache-consistency',
  'features/events/rooms',
  'features/orders/(order-batches|seat-limits-races|stock-reconciliation)',
  'features/personal-data/(erase|erase-requests|erase-staff|tables)',
  'features/staff/last-owner',
  // One pass through each command, and what the races and models above do not reach.
  'journal/every-command',
  'features/(mailings/mailings|payments/provider-events|system/system|takings/takings|webhooks/webhooks)',
  'imports/(bookings|second-import|second-import-model|second-import-series|undo)',
];

export default {
  ...base,
  testRegex: FILES.map((files) => `/test/${files}(\\.system)?\\.test\\.ts$`),
  testEnvironmentOptions: { mayStartProcesses: true },
  // A file uses up to thirty connections, and a server allows 100 by default.
  maxWorkers: 2,
};
