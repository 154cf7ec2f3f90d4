import { createRequire } from 'node:module';

const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer');

/**
 * Files that take longest. A fresh clone has no durations of earlier runs, so Jest would begin with the largest files, and end with one
 * of these while other workers are idle.
 */
const SLOW_FIRST = [
  'api/(allowed-actions|authorization-matrix|heavy-requests)',
  'auth/(least-privilege|rate-limits|sign-in-links)',
  'cli/(commands|demo-command)',
  'client/feeds',
  'db/(backup-kill|backups|migrations|power-failure|query-plans)',
  'demo/demo-seed',
  'docs/(examples|first-steps|scaling)',
  'features/bookings/allowed-actions',
  'features/check-ins/(lookup-budget|unconfirmed)',
  'features/webhooks/service-command',
  'journal/every-command',
  'mcp/(tools|transports)',
  'recipes/recipes',
  'server/(job-queue|job-queue-restart|process|shutdown|startup-errors)',
].map((files) => new RegExp(`/test/${files}(\\.system)?\\.test\\.ts$`));

export default class SlowFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    const isSlow = ({ path }) => SLOW_FIRST.some((pattern) => pattern.test(path));
    return [...sorted.filter(isSlow), ...sorted.filter((test) => !isSlow(test))];
  }
}
