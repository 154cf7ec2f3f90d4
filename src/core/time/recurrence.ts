import ICAL from 'ical.js';
import { RRuleTemporal } from 'rrule-temporal';
import type { Temporal } from 'temporal-polyfill';

// Daily for more than a century.
const MAX_STEPS = 50_000;

/** An RFC 5545 recurrence rule in capitals and without blanks. Throws an Error that says what is wrong with it. */
export function normalizeRule(text: string): string {
  const rule = text
    .replace(/^\s*RRULE:/i, '')
    .replace(/\s/g, '')
    .replace(/;+$/, '')
    .toUpperCase();
  // rrule-temporal leaves parts out silently where they are wrong; ical.js says so.
  if (!ICAL.Recur.fromString(rule).freq) throw new Error('FREQ is missing');
  return rule;
}

/**
 * The rule by the wall clock, which is passed off as UTC, in which no hour is skipped: "at nine" stays at nine
 * whatever clocks do, and what falls into a skipped hour is the caller's to move. More than `maxPeriods` days, weeks,
 * months or years, whichever the rule counts in, throw an Error that begins with "Maximum", and so do more than
 * `maxCandidates` days that are looked at; the iterator of ical.js would run for ever on DAILY on 30 February.
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
