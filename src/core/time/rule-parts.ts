/**
 * Says what of a normalized recurrence rule cannot be followed exactly; null if there is nothing. Series and imports use it,
 * so that both read a rule completely or not at all. Series also reject rules that repeat more often than once a day.
 */
export function findRuleProblem(rule: string): string | null {
  const unsupported = findUnsupportedRulePart(rule);
  if (unsupported !== null) return `${unsupported.slice(0, 50)} is not supported`;
  if (/COUNT=/.test(rule) && /UNTIL=/.test(rule)) return 'COUNT and UNTIL cannot be combined';
  // RFC 5545 (3.3.10): such a number would count weekdays in a year or month, which a rule of weeks does not have.
  if (/BYWEEKNO=/.test(rule) && /BYDAY=[^;]*\d/.test(rule))
    return 'BYWEEKNO and numbered days of BYDAY cannot be combined';
  return null;
}

const WEEKDAY_PATTERN = '(MO|TU|WE|TH|FR|SA|SU)';
const NUMBER_LIST_PATTERN = /^[+-]?\d{1,3}(,[+-]?\d{1,3})*$/;

/** The supported parts of a rule and their syntax. */
const PART_PATTERNS: Record<string, RegExp> = {
  FREQ: /^(SECONDLY|MINUTELY|HOURLY|DAILY|WEEKLY|MONTHLY|YEARLY)$/,
  INTERVAL: /^[1-9]\d{0,3}$/,
  COUNT: /^[1-9]\d{0,8}$/,
  UNTIL: /^\d{8}(T\d{6}Z?)?$/,
  BYDAY: new RegExp(`^([+-]?\\d{1,2})?${WEEKDAY_PATTERN}(,([+-]?\\d{1,2})?${WEEKDAY_PATTERN})*$`),
  BYSECOND: NUMBER_LIST_PATTERN,
  BYMINUTE: NUMBER_LIST_PATTERN,
  BYHOUR: NUMBER_LIST_PATTERN,
  BYMONTH: NUMBER_LIST_PATTERN,
  BYMONTHDAY: NUMBER_LIST_PATTERN,
  BYYEARDAY: NUMBER_LIST_PATTERN,
  BYWEEKNO: NUMBER_LIST_PATTERN,
  BYSETPOS: NUMBER_LIST_PATTERN,
  WKST: new RegExp(`^${WEEKDAY_PATTERN}$`),
};

/** The largest number in a part. rrule-temporal silently ignores larger ones. */
const MAX_PART_VALUES: Record<string, number> = {
  BYDAY: 53,
  BYMONTH: 12,
  BYMONTHDAY: 31,
  BYYEARDAY: 366,
  BYWEEKNO: 53,
  BYSETPOS: 366,
};

/** Parts that RFC 5545 (3.3.10) forbids for a frequency. Expanding them would be expensive. */
const FORBIDDEN_PARTS: Record<string, RegExp> = {
  SECONDLY: /^BYWEEKNO=|^BYDAY=.*\d/,
  MINUTELY: /^BYWEEKNO=|^BYDAY=.*\d/,
  HOURLY: /^BYWEEKNO=|^BYDAY=.*\d/,
  DAILY: /^(BYWEEKNO|BYYEARDAY)=|^BYDAY=.*\d/,
  WEEKLY: /^(BYWEEKNO|BYYEARDAY|BYMONTHDAY)=|^BYDAY=.*\d/,
  MONTHLY: /^(BYWEEKNO|BYYEARDAY)=/,
};

/**
 * Finds the first part that is unknown, malformed, duplicate or forbidden for the frequency; null if there is none.
 * Ignoring such a part would book the wrong days.
 */
function findUnsupportedRulePart(rule: string): string | null {
  const seen = new Set<string>();
  const forbidden = FORBIDDEN_PARTS[/FREQ=(\w+)/.exec(rule)?.[1] ?? ''];
  for (const part of rule.split(';')) {
    const [name = '', value = ''] = part.split('=', 2);
    if (
      seen.has(name) ||
      !PART_PATTERNS[name]?.test(value) ||
      !isInRange(name, value) ||
      forbidden?.test(part)
    )
      return part;
    seen.add(name);
  }
  return null;
}

function isInRange(name: string, value: string): boolean {
  const max = MAX_PART_VALUES[name];
  if (max === undefined) return true;
  const min = name === 'BYMONTH' ? 1 : -max;
  return (value.match(/[+-]?\d+/g) ?? [])
    .map(Number)
    .every((number) => number !== 0 && number >= min && number <= max);
}
