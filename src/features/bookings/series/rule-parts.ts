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

/** What a part must not be left out silently for: the first that is unknown, malformed or given twice, or null. */
export function strangePart(rule: string): string | null {
  const seen = new Set<string>();
  for (const part of rule.split(';')) {
    const [name = '', value = ''] = part.split('=', 2);
    if (seen.has(name) || !PARTS[name]?.test(value)) return part;
    seen.add(name);
  }
  return null;
}
