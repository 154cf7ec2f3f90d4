import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { expandSeriesRule } from '../../../src/features/bookings/rules/series-occurrences.ts';

const START = Date.parse('2026-03-18T09:00:00+01:00');

/** Counts the occurrences of a rule, or returns the reason of its rejection. */
export function countOccurrences(rule: string): number | string {
  try {
    return expandSeriesRule(rule, START, 'Europe/Berlin').length;
  } catch (error) {
    return (error as { details?: { reason?: string } }).details?.reason ?? String(error);
  }
}

export interface RuleWork {
  outcome: number | string;
  /** The number of calls in rrule-temporal, a measure of work that is equal on any machine. */
  steps: number;
}

const HERE = fileURLToPath(import.meta.url);

/** Measures in a separate process, because counting calls slows down all functions of a process. */
export function startMeasuring() {
  const child = fork(HERE, ['measure'], { execArgv: ['--import', 'tsx'] });
  return {
    measure: async (rule: string): Promise<RuleWork> => {
      child.send(rule);
      const [work] = await once(child, 'message');
      return work;
    },
    stop: () => child.kill(),
  };
}

async function measure(rule: string): Promise<RuleWork> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    const outcome = countOccurrences(rule);
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const steps = result
      .filter(({ url }) => url.includes('rrule-temporal'))
      .flatMap(({ functions }) => functions)
      .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
    return { outcome, steps };
  } finally {
    session.disconnect();
  }
}

if (process.argv[2] === 'measure')
  process.on('message', async (rule: string) => process.send?.(await measure(rule)));
