import { base } from './jest.config.js';

// Tests that start, kill and restart processes of the service, commands, and programs of other languages.
export default {
  ...base,
  testMatch: ['<rootDir>/test/**/*.system.test.ts'],
  testEnvironmentOptions: { mayStartProcesses: true },
};
