import ICAL from 'ical.js';
import { RRuleTemporal } from 'rrule-temporal';
import type { Temporal } from 'temporal-polyfill';

// A daily rule covers more than a century with it.
const MAX_STEPS = 50_000;

/** Normalizes an RFC 5545 recurrence rule: upper case, no spaces. @throws Error that says what is invalid. */
export function normalizeRule(text: string): string {
  const rule = text
    .replace(/^\s*RRULE:/i, '')
    .replace(/\s/g, '')
    .replace(/(?<!;);+$/, '')
    .toUpperCase();
  // rrule-temporal ignores invalid parts silently; ical.js reports them.
  if (!ICAL.Recur.fromString(rule).freq) throw new Error('FREQ is missing');
  return rule;
}

/**
 * Creates a rule that expands in local time, represented as UTC. UTC skips no hour, so nine o'clock stays nine o'clock, and
 * the caller moves occurrences that fall into a skipped hour.
 * @throws Error that begins with "Maximum" after `maxPeriods` periods of the rule's frequency or `maxCandidates` candidate
 * days: a rule such as DAILY on 30 February would never end.
 */
export const createWallClockRule = (
  rule: string,
  start: Temporal.PlainDateTime,
  { maxPeriods = MAX_STEPS, maxCandidates = MAX_STEPS } = {},
) =>
  new RRuleTemporal({
    rruleString: rule,
    dtstart: start.toZonedDateTime('UTC'),
    maxIterations: maxPeriods,
    maxCandidateEvaluations: maxCandidates,
    cache: false,
  });
