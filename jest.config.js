import { availableParallelism } from 'node:os';

const onServer = Boolean(process.env.TEST_DATABASE_URL);

// Races need several connections, and the embedded database has one. Models take long. Query plans need many rows. The embedded
// database has one session, which lives as long as the process.
const SERVER_ONLY = [
  '<rootDir>/test/concurrency/',
  '<rootDir>/test/properties/',
  '<rootDir>/test/db/prepared-statements\\.',
  '<rootDir>/test/db/database-locales\\.',
  '<rootDir>/test/features/check-ins/lookup-budget-races\\.',
  '<rootDir>/test/features/orders/seat-limits-races\\.',
  '<rootDir>/test/db/query-plans\\.',
  '<rootDir>/test/server/startup-privileges\\.',
];

// These are about embedded databases on any configuration.
const EMBEDDED_ONLY = [
  '/test/cli/demo-command\\.',
  '/test/db/embedded-statements\\.',
  '/test/db/transaction-timeouts\\.',
  '/test/server/startup-errors\\.',
  '/test/features/webhooks/service-command\\.',
];

// Each of these must be loaded once per worker.
const LIBRARIES = [
  'commander',
  'fast-check',
  'graphql',
  'ical\\.js',
  'pg',
  'pino',
  'temporal-polyfill',
  'uuid',
  'zod',
];

/** What every configuration has in common. */
export const base = {
  testPathIgnorePatterns: onServer ? EMBEDDED_ONLY : SERVER_ONLY,
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironment: '<rootDir>/test/support/harness/worker/environment.mjs',
  // Commands stay in the sandbox, where tests replace their database.
  transform: {
    '/(src/(?!cli/)|test/support/harness/worker/).*\\.ts$': [
      '<rootDir>/test/support/harness/worker/facade.mjs',
      { kind: 'ours' },
    ],
    [`/node_modules/(${LIBRARIES.join('|')})/`]: [
      '<rootDir>/test/support/harness/worker/facade.mjs',
      { kind: 'libraries' },
    ],
    '\\.ts$': ['@swc/jest', { jsc: { target: 'es2023', parser: { syntax: 'typescript' } } }],
  },
  transformIgnorePatterns: [],
  globalSetup: '<rootDir>/test/support/harness/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/harness/global-teardown.mjs',
  testSequencer: '<rootDir>/test/support/harness/sequencer.mjs',
  testTimeout: 600_000, // only ends tests that hang: no machine is too slow
  maxWorkers: Math.ceil(availableParallelism() * 1.5), // tests wait for a third of their time
  workerIdleMemoryLimit: '3000MB',
};

/** Tests that run in one process; the environment stops those that start another one. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: [...base.testPathIgnorePatterns, '\\.system\\.test\\.ts$'],
};
