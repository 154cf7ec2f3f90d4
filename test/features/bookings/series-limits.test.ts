import { countOccurrences } from '../../support/harness/rule-work.ts';

describe('a recurrence rule', () => {
  it('reaches the ordinary series', () => {
    const counts = {
      'FREQ=DAILY;COUNT=366': 366,
      'FREQ=WEEKLY;BYDAY=WE;COUNT=366': 366,
      'FREQ=MONTHLY;BYDAY=3WE;COUNT=120': 120,
      'FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=18;COUNT=20': 20,
    };
    for (const [rule, count] of Object.entries(counts))
      expect([rule, countOccurrences(rule)]).toEqual([rule, count]);
  });

  it.each([
    'BYMONTH=13',
    'BYMONTHDAY=32',
    'BYMONTHDAY=0',
    'BYDAY=60MO',
    'BYSETPOS=367',
    'BYYEARDAY=-367',
  ])('rejects an impossible part: %s', (part) =>
    expect(countOccurrences(`FREQ=YEARLY;${part};COUNT=3`)).toBe('RULE_UNREADABLE'),
  );

  it.each([
    'FREQ=WEEKLY;BYWEEKNO=3;COUNT=3',
    'FREQ=MONTHLY;BYYEARDAY=100;COUNT=3',
    'FREQ=WEEKLY;BYMONTHDAY=3;COUNT=3',
    'FREQ=DAILY;BYDAY=MO,2TU;COUNT=3',
  ])('rejects a part that RFC 5545 forbids: %s', (rule) =>
    expect(countOccurrences(rule)).toBe('RULE_UNREADABLE'),
  );

  it('rejects a very long rule', () => {
    const days = Array.from({ length: 500 }, () => '1').join();
    expect(countOccurrences(`FREQ=MONTHLY;BYMONTHDAY=${days};COUNT=3`)).toBe('RULE_UNREADABLE');
  });
});
