const DAY = 24 * 3600 * 1000;

export const EXPIRIES = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'date', label: 'On a day of your choice' },
];

export interface Expiry {
  choice: string;
  /** YYYY-MM-DD, with the choice `date`. */
  date: string;
}

/** The moment as the service wants it; a day counts to its end, in this browser's zone. */
export function momentOf({ choice, date }: Expiry, now: Date): string | null {
  if (choice === 'never') return null;
  if (choice === 'date') return endOfDay(date)?.toISOString() ?? null;
  return new Date(now.getTime() + Number(choice) * DAY).toISOString();
}

export function problemWith({ choice, date }: Expiry, now: Date): string | null {
  if (choice !== 'date') return null;
  const end = endOfDay(date);
  if (end === null) return 'Choose a day';
  return end <= now ? 'Choose a day to come' : null;
}

function endOfDay(date: string): Date | null {
  const end = new Date(`${date}T23:59:59.999`);
  return Number.isNaN(end.getTime()) ? null : end;
}
