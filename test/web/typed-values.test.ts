import { findEndProblem, findStartProblem } from '../../src/web/admin/bookings/booking-times.ts';
import { findProblem, getLimits, toMoney } from '../../src/web/components/input-values.ts';
import { validateLocalDateTime } from '../../src/web/components/local-date-time.ts';
import { parseAmount } from '../../src/web/components/money.ts';
import { findDateProblem } from '../../src/web/components/wall-clock.ts';

describe('a typed amount', () => {
  it.each([
    ['1250', 1250, 1250],
    ['1.250,00', 1250, 1250],
    ['1,250.00', 1250, 1250],
    ['1.250', null, 1250],
    ['1,250', 1250, null],
    ['19.50', 19.5, 19.5],
    ['19,50', 19.5, 19.5],
    ['1,5', 1.5, 1.5],
    [' 1 250 000,50 ', 1250000.5, 1250000.5],
    ['1’250.00', 1250, 1250],
    ['12,50.00', null, null],
    ['1.25.0', null, null],
    ['0,125', null, null],
    ['-5', null, null],
    ['€5', null, null],
    ['', null, null],
  ])('"%s" is %p in English and %p in German', (text, english, german) => {
    expect(parseAmount(text, 'EUR', 'en-US')).toBe(english);
    expect(parseAmount(text, 'EUR', 'de-DE')).toBe(german);
  });

  it('has as many decimal places as its currency', () => {
    expect(parseAmount('1,250', 'JPY', 'en')).toBe(1250);
    expect(parseAmount('1250.5', 'JPY', 'en')).toBeNull();
    expect(parseAmount('1.250', 'KWD', 'en')).toBe(1.25);
  });

  it('is rejected with an example, instead of guessed', () => {
    const price = getLimits('CreatePlanInput', 'price');
    const find = (amount: string) =>
      findProblem(price, { label: 'Price' }, { amount, currency: 'EUR' });
    expect(find('1.250')).toBe('Enter an amount such as 1,250.50');
    expect(find('1,250.00')).toBeNull();
    expect(toMoney({ amount: '1.250,00', currency: 'EUR' }).amount).toBe(125_000);
  });
});

describe('a typed date', () => {
  const YEAR = 'The year is 26. Enter all four digits, such as 2026.';

  it.each([
    ['2026-03-18', null],
    ['0026-03-18', YEAR],
    ['', null],
  ])('%p has the problem %p', (day, problem) => expect(findDateProblem(day)).toBe(problem));

  it('has its problem in every form', () => {
    const times = {
      ...{ day: '0026-03-18', from: '10:00', endDay: '0026-03-18', to: '11:00' },
      ...{ slot: null, minutes: null },
    };
    expect(findStartProblem(times, 'Europe/Berlin')).toBe(YEAR);
    const end = { ...times, day: '2026-03-18', endDay: '0026-03-18' };
    expect(findEndProblem(end, 'Europe/Berlin')).toBe(YEAR);
    expect(validateLocalDateTime('0026-03-18T10:00', 'Europe/Berlin')).toBe(YEAR);
    const startsOn = getLimits('CreateMembershipInput', 'startsOn');
    expect(findProblem(startsOn, { label: 'First day', type: 'date' }, '0026-03-18')).toBe(YEAR);
  });

  it('in the past says so, but not while the year is being typed', () => {
    expect(findDateProblem('2026-03-17', '2026-03-18')).toBe(
      'This day has passed. Choose another.',
    );
    expect(findDateProblem('0202-03-17', '2026-03-18')).toBe(
      'The year is 202. Enter all four digits, such as 2026.',
    );
    expect(findDateProblem('2026-03-18', '2026-03-18')).toBeNull();
  });
});
