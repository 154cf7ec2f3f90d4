import { createRequire } from 'node:module';

const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer');

/**
 * Files that take longest. A fresh clone has no durations of earlier runs, so Jest would begin with the largest files, and end with one
 * of these while other workers are idle.
 */
const SLOW_FIRST = [
  'api/(allowed-actions|authorization-matrix)',
  'auth/least-privilege',
  'cli/(commands|demo-command)',
  'db/(backup-kill|backups|migrations|query-plans)',
  'demo/demo-seed',
  'features/bookings/allowed-actions',
  'features/webhooks/service-command',
  'journal/every-command',
  'mcp/(tools|transports)',
  'server/(job-queue|job-queue-restart|process|shutdown|startup-errors)',
].map((files) => new RegExp(`/test/${files}\\.test\\.ts$`));

export default class SlowFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    const isSlow = ({ path }) => SLOW_FIRST.some((pattern) => pattern.test(path));
    return [...sorted.filter(isSlow), ...sorted.filter((test) => !isSlow(test))];
  }
}
