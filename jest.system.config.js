import { base } from './jest.config.js';

// Tests that start, kill and restart processes of the service, commands, and programs of other languages, and those that fill and
// copy whole databases.
export default {
  ...base,
  testMatch: ['<rootDir>/test/**/*.system.test.ts'],
  testEnvironmentOptions: { mayStartProcesses: true },
};
