import { formatCancellationTerms } from '../../src/web/admin/bookings/booking-labels.ts';
import { formatExactDateTime } from '../../src/web/components/wall-clock.ts';

const NOW = new Date('2026-03-18T09:30:00Z');
const LATER = '2026-03-19T09:30:00Z';
const EARLIER = '2026-03-17T09:30:00Z';
const deadline = formatExactDateTime(LATER, 'Europe/Berlin');

describe('the terms of cancellation', () => {
  it.each([
    ['CONFIRMED', LATER, `You can cancel it free of charge until ${deadline}.`],
    ['CONFIRMED', EARLIER, 'It starts too soon to cancel it free of charge.'],
    [
      'PENDING',
      LATER,
      `Staff must approve this booking. You can cancel it free of charge until they do, and in any case until ${deadline}.`,
    ],
    [
      'PENDING',
      EARLIER,
      'Staff must approve this booking. You can cancel it free of charge until they do, but not after that.',
    ],
  ] as const)(
    'of a %s booking, free until %s, do not contradict each other',
    (status, freeCancellationUntil, terms) => {
      expect(
        formatCancellationTerms({ status, freeCancellationUntil }, 'cancel', 'Europe/Berlin', NOW),
      ).toBe(terms);
    },
  );
});
