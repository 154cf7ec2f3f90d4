import { jest } from '@jest/globals';
import { createSignalHandler } from '../../src/server/shutdown.ts';

/** Sends signals at these milliseconds, and returns what they did. */
function send(
  signals: [atMs: number, signal: NodeJS.Signals][],
  { delayMs = 3_600_000, isTerminal = false } = {},
) {
  const done: string[] = [];
  let clock = 0;
  jest.useFakeTimers();
  try {
    const handle = createSignalHandler({
      drain: () => done.push(`drains at ${clock}`),
      shutDown: () => done.push(`stops at ${clock}`),
      log: { info: () => {} },
      delayMs,
      now: () => clock,
    });
    for (const [atMs, signal] of signals) {
      clock = atMs;
      handle(signal, isTerminal);
    }
  } finally {
    jest.useRealTimers();
  }
  return done;
}

it('drains after a signal, and a second one within a second changes nothing', () => {
  expect(
    send([
      [0, 'SIGTERM'],
      [3, 'SIGTERM'],
      [999, 'SIGINT'],
    ]),
  ).toEqual(['drains at 0']);
});

it('stops at a second signal after a second', () => {
  expect(
    send([
      [0, 'SIGTERM'],
      [3, 'SIGTERM'],
      [1_000, 'SIGTERM'],
    ]),
  ).toEqual(['drains at 0', 'stops at 1000']);
});

it('stops at once without a delay, and for Ctrl-C in a terminal', () => {
  expect(send([[0, 'SIGTERM']], { delayMs: 0 })).toEqual(['stops at 0']);
  expect(
    send(
      [
        [0, 'SIGTERM'],
        [5, 'SIGINT'],
      ],
      { isTerminal: true },
    ),
  ).toEqual(['drains at 0', 'stops at 5']);
});
