const onServer = Boolean(process.env.TEST_DATABASE_URL);

// Races need connections of their own, and models run long: the embedded database has one connection and no second core.
const SERVER_ONLY = ['<rootDir>/test/concurrency/', '<rootDir>/test/properties/'];

// These start processes on embedded databases of their own, whichever database the others run on.
const EMBEDDED_ONLY = [
  '/test/cli/demo-command\\.',
  '/test/server/startup-errors\\.',
  '/test/features/webhooks/service-command\\.',
];

export default {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: onServer ? EMBEDDED_ONLY : SERVER_ONLY,
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { target: 'es2023', parser: { syntax: 'typescript' } } }],
  },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testTimeout: 180_000, // for machines that are slow or busy; nothing takes a third of it
  maxWorkers: '100%',
  workerIdleMemoryLimit: '1500MB',
};
