import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { expandSeriesRule } from '../../../src/features/bookings/rules/series-occurrences.ts';
import { readCalendarInSteps } from '../../../src/imports/calendar/read-calendar.ts';
import { calendar } from '../factories/calendar-files.ts';

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
  /** The number of calls in rrule-temporal without a pause, a measure of work that is equal on any machine. */
  steps: number;
}

/** An entry to import that begins on 1 January of a year, otherwise a series to book. */
interface MeasuredRule {
  rule: string;
  importedSince?: number | undefined;
}

const HERE = fileURLToPath(import.meta.url);

/** Measures in a separate process, because counting calls slows down all functions of a process. */
export function startMeasuring() {
  const child = fork(HERE, ['measure'], { execArgv: ['--import', 'tsx'] });
  return {
    measure: async (rule: string, importedSince?: number): Promise<RuleWork> => {
      child.send({ rule, importedSince });
      const [work] = await once(child, 'message');
      return work;
    },
    stop: () => child.kill(),
  };
}

async function measure({ rule, importedSince }: MeasuredRule): Promise<RuleWork> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    // Each answer counts the calls since the previous one.
    const countCalls = async () => {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      return result
        .filter(({ url }) => url.includes('rrule-temporal'))
        .flatMap(({ functions }) => functions)
        .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
    };
    if (importedSince === undefined)
      return { outcome: countOccurrences(rule), steps: await countCalls() };
    const steps = importEntry(rule, importedSince);
    for (let most = 0; ; ) {
      const { done, value } = steps.next();
      most = Math.max(most, await countCalls());
      if (done)
        return { outcome: value.problems[0]?.reason ?? value.occurrences.length, steps: most };
    }
  } finally {
    session.disconnect();
  }
}

const importEntry = (rule: string, year: number) =>
  readCalendarInSteps(
    calendar(['UID:one', `DTSTART:${year}0101T100000Z`, 'DURATION:PT1H', `RRULE:${rule}`]),
    { now: new Date(START), findZone: () => 'Europe/Berlin' },
  );

if (process.argv[2] === 'measure')
  process.on('message', async (measured: MeasuredRule) => process.send?.(await measure(measured)));
