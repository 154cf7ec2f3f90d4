const onServer = Boolean(process.env.TEST_DATABASE_URL);

// Races need connections of their own, and models run long: the embedded database has one connection and no second core.
const SERVER_ONLY = ['<rootDir>/test/concurrency/', '<rootDir>/test/properties/'];

// These start processes on embedded databases of their own, whichever database the others run on.
const EMBEDDED_ONLY = [
  '/test/cli/demo-command\\.',
  '/test/server/startup-errors\\.',
  '/test/features/webhooks/service-command\\.',
];

// Of which there must be one in a worker, whoever imports it.
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

export default {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: onServer ? EMBEDDED_ONLY : SERVER_ONLY,
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironment: '<rootDir>/test/support/worker/environment.mjs',
  // The commands stay in the sandbox, where tests put another database under them.
  transform: {
    '/(src/(?!cli/)|test/support/worker/).*\\.ts$': [
      '<rootDir>/test/support/worker/facade.mjs',
      { kind: 'ours' },
    ],
    [`/node_modules/(${LIBRARIES.join('|')})/`]: [
      '<rootDir>/test/support/worker/facade.mjs',
      { kind: 'libraries' },
    ],
    '\\.ts$': ['@swc/jest', { jsc: { target: 'es2023', parser: { syntax: 'typescript' } } }],
  },
  transformIgnorePatterns: [],
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  testTimeout: 180_000, // for machines that are slow or busy; nothing takes a third of it
  maxWorkers: '100%',
  workerIdleMemoryLimit: '1500MB',
};
