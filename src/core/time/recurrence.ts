import ICAL from 'ical.js';
import { RRuleTemporal } from 'rrule-temporal';
import type { Temporal } from 'temporal-polyfill';

// Daily for more than a century.
const MAX_STEPS = 50_000;

/** Normalizes an RFC 5545 recurrence rule: upper case, no blanks. Throws an Error that says what is invalid. */
export function normalizeRule(text: string): string {
  const rule = text
    .replace(/^\s*RRULE:/i, '')
    .replace(/\s/g, '')
    .replace(/;+$/, '')
    .toUpperCase();
  // rrule-temporal ignores invalid parts silently; ical.js reports them.
  if (!ICAL.Recur.fromString(rule).freq) throw new Error('FREQ is missing');
  return rule;
}

/**
 * Expands the rule in local time, represented as UTC, in which no hour is skipped: nine o'clock stays nine o'clock, and
 * the caller moves occurrences that fall into a skipped hour. Throws an Error that begins with "Maximum" after
 * `maxPeriods` periods of the rule's frequency or `maxCandidates` candidate days: a rule such as DAILY on 30 February
 * never ends otherwise.
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
