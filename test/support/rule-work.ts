import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { expandSeriesRule } from '../../src/features/bookings/rules/series-occurrences.ts';

const START = Date.parse('2026-03-18T09:00:00+01:00');

/** How many occurrences the rule has, or why it is refused. */
export function expand(rule: string): number | string {
  try {
    return expandSeriesRule(rule, START, 'Europe/Berlin').length;
  } catch (error) {
    return (error as { details?: { reason?: string } }).details?.reason ?? String(error);
  }
}

export interface Work {
  outcome: number | string;
  /** How many functions of rrule-temporal were called meanwhile: what its work is, on any machine. */
  steps: number;
}

const HERE = fileURLToPath(import.meta.url);

/** Measures in a process of its own: counting calls slows every function of a process down, also those of other tests. */
export function startMeasuring() {
  const child = fork(HERE, ['measure'], { execArgv: ['--import', 'tsx'] });
  return {
    measure: async (rule: string): Promise<Work> => {
      child.send(rule);
      const [work] = await once(child, 'message');
      return work;
    },
    stop: () => child.kill(),
  };
}

async function measured(rule: string): Promise<Work> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    const outcome = expand(rule);
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
  process.on('message', async (rule: string) => process.send?.(await measured(rule)));
