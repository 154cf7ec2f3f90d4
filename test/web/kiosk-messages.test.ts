import { isIn, toResultMessage } from '../../src/web/kiosk/messages.ts';

const admitted = { result: 'ADMITTED', label: 'Ada L.', checkedInAt: null, subject: null } as const;
const show = (unconfirmed: boolean, visiting: boolean) =>
  toResultMessage({
    checkIn: { ...admitted, unconfirmed, checkOutToken: null } as never,
    ...{ leaving: false, visiting, timeZone: 'Europe/Berlin' },
  });

describe('a kiosk', () => {
  it('lets everyone leave who is rejected while they are in', () => {
    const offers = (result: string, checkedInAt: string | null) =>
      isIn({ ...admitted, result, checkedInAt } as never);
    for (const result of ['ALREADY_IN', 'UNPAID', 'CANCELLED', 'WRONG_LOCATION'])
      expect([offers(result, '2026-03-18T09:00:00Z'), offers(result, null)]).toEqual([true, false]);
    for (const result of ['ADMITTED', 'CHECKED_OUT'])
      expect(offers(result, '2026-03-18T09:00:00Z')).toBe(false);
  });

  it.each([false, true])(
    'welcomes people only if their check-in is confirmed (visitor: %p)',
    (visiting) => {
      expect(show(false, visiting)).toMatchObject({ tone: 'good', title: 'Welcome, Ada!' });
      const reported = show(true, visiting);
      expect(reported).toMatchObject({
        tone: 'notice',
        title: 'Please see the front desk',
      });
      expect(Object.values(reported).join(' ')).not.toMatch(/welcome|come (on )?in|take a seat/i);
    },
  );
});
