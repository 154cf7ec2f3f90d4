const DAY = '(MO|TU|WE|TH|FR|SA|SU)';
const NUMBERS = /^[+-]?\d{1,3}(,[+-]?\d{1,3})*$/;

/** The parts of a rule that a series may have, and how they look. */
const PARTS: Record<string, RegExp> = {
  FREQ: /^(DAILY|WEEKLY|MONTHLY|YEARLY)$/,
  INTERVAL: /^[1-9]\d{0,3}$/,
  COUNT: /^[1-9]\d{0,8}$/,
  UNTIL: /^\d{8}(T\d{6}Z?)?$/,
  BYDAY: new RegExp(`^([+-]?\\d{1,2})?${DAY}(,([+-]?\\d{1,2})?${DAY})*$`),
  BYMONTH: NUMBERS,
  BYMONTHDAY: NUMBERS,
  BYYEARDAY: NUMBERS,
  BYWEEKNO: NUMBERS,
  BYSETPOS: NUMBERS,
  WKST: new RegExp(`^${DAY}$`),
};

/** The largest number that a part can have; rrule-temporal leaves greater ones out silently. */
const MAX_NUMBERS: Record<string, number> = {
  BYDAY: 53,
  BYMONTH: 12,
  BYMONTHDAY: 31,
  BYYEARDAY: 366,
  BYWEEKNO: 53,
  BYSETPOS: 366,
};

/** Parts that RFC 5545 (3.3.10) forbids for a frequency. Expanding them all the same costs a lot. */
const FORBIDDEN: Record<string, RegExp> = {
  DAILY: /^(BYWEEKNO|BYYEARDAY)=|^BYDAY=.*\d/,
  WEEKLY: /^(BYWEEKNO|BYYEARDAY|BYMONTHDAY)=|^BYDAY=.*\d/,
  MONTHLY: /^(BYWEEKNO|BYYEARDAY)=/,
};

/** What a part must not be left out silently for: the first that is unknown, malformed, given twice or not for
 * this frequency, or null. */
export function strangePart(rule: string): string | null {
  const seen = new Set<string>();
  const forbidden = FORBIDDEN[/FREQ=(\w+)/.exec(rule)?.[1] ?? ''];
  for (const part of rule.split(';')) {
    const [name = '', value = ''] = part.split('=', 2);
    if (
      seen.has(name) ||
      !PARTS[name]?.test(value) ||
      !isInRange(name, value) ||
      forbidden?.test(part)
    )
      return part;
    seen.add(name);
  }
  return null;
}

function isInRange(name: string, value: string): boolean {
  const max = MAX_NUMBERS[name];
  if (max === undefined) return true;
  const least = name === 'BYMONTH' ? 1 : -max;
  return (value.match(/[+-]?\d+/g) ?? [])
    .map(Number)
    .every((number) => number !== 0 && number >= least && number <= max);
}
