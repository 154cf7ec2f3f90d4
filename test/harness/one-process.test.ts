import { exec, execFile, execFileSync, execSync, fork, spawn, spawnSync } from 'node:child_process';

it.each<[string, () => unknown]>([
  ['spawn', () => spawn('true')],
  ['exec', () => exec('true')],
  ['execFile', () => execFile('true')],
  ['fork', () => fork('true')],
  ['spawnSync', () => spawnSync('true')],
  ['execFileSync', () => execFileSync('true')],
  ['execSync', () => execSync('true')],
])('a test of `npm test` cannot start a process with %s', (_, start) => {
  expect(start).toThrow(/`npm run test:system` runs it/);
});
