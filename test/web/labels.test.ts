import { SHAPES } from '../../src/journal/shapes.ts';
import { formatList } from '../../src/web/admin/audit-log/change-labels.ts';
import { formatBenefit } from '../../src/web/admin/plans/plan-labels.ts';
import { toGivenName } from '../../src/web/components/text.ts';

describe('a benefit of a plan', () => {
  const format = (includedHours: number, discountPercent: number, limitHours: number | null) =>
    formatBenefit({ resourceType: 'DESK', includedHours, discountPercent, limitHours });

  it.each([
    [0, 100, null, 'Unlimited desks'],
    [5, 100, null, 'Unlimited desks'],
    [0, 100, 40, '40 h of desks included, nothing beyond that'],
    [5, 100, 40, '40 h of desks included, nothing beyond that'],
    [5, 20, 40, '5 h of desks included, then 20% off, up to 40 h per month'],
    [0, 20, null, '20% off desks'],
  ])('of %i h, then %i%% off, up to %p h, is "%s"', (hours, percent, limit, text) =>
    expect(format(hours, percent, limit)).toBe(text),
  );
});

it.each([
  ['Ana S.', 'Ana'],
  ['Juan de C.', 'Juan de'],
  ['Ben', 'Ben'],
  ['山.', null],
])('a guest with the label %s is greeted as %s', (label, name) =>
  expect(toGivenName(label)).toBe(name),
);

it('shows changes of opening hours as days and times', () => {
  const hours = [1, 2].map((weekday) => ({ weekday, opens_minute: 420, closes_minute: 1080 }));
  expect(
    Object.keys(SHAPES.opening_hours?.fields ?? {}).map((field) => formatList(field, hours)),
  ).toEqual(['Mon – Tue 07:00 – 18:00']);
});
