import type { UseFormReturnType } from '@mantine/form';
import type { BookingInput, BookingSeriesInput } from '../../gql/graphql.ts';
import { dayAt, instantAt, nextDay, timeAt } from '../../ui/wall-clock.ts';
import type { Slot } from './preview-queries.ts';

/** What a new booking begins with. */
export interface Wish {
  day: string;
  resourceId?: string;
  from?: string;
  to?: string;
}

export const REPEATS = [
  { value: 'NONE', label: 'Does not repeat' },
  { value: 'DAILY', label: 'Every day' },
  { value: 'WEEKLY', label: 'Every week' },
  { value: 'MONTHLY', label: 'Every month' },
] as const;

export interface Times {
  day: string;
  from: string;
  /** At or before `from` it is meant for the next day. */
  to: string;
}

export interface BookingValues extends Times {
  resourceId: string | null;
  kind: 'member' | 'guest';
  member: { id: string; name: string } | null;
  guestName: string;
  guestEmail: string;
  title: string;
  notes: string;
  repeat: (typeof REPEATS)[number]['value'];
  count: number | string;
}

export type BookingFormState = UseFormReturnType<BookingValues>;

export const valuesFor = ({ day, resourceId, from, to }: Wish): BookingValues => ({
  resourceId: resourceId ?? null,
  kind: 'member',
  member: null,
  guestName: '',
  guestEmail: '',
  day,
  from: from ?? '',
  to: to ?? '',
  title: '',
  notes: '',
  repeat: 'NONE',
  count: 4,
});

export const validateBooking = (timeZone: string) => ({
  resourceId: (id: string | null) => (id ? null : 'Choose what to book'),
  member: (member: BookingValues['member'], { kind }: BookingValues) =>
    kind === 'guest' || member ? null : 'Choose who books, or book for a guest',
  guestName: (name: string, { kind }: BookingValues) =>
    kind === 'member' || name.trim() ? null : 'Type the name of the guest',
  guestEmail: (email: string, { kind }: BookingValues) =>
    kind === 'member' || email.trim() === '' || /^\S+@\S+\.\S+$/.test(email.trim())
      ? null
      : 'Type the whole address, or leave it out',
  from: (_: string, times: Times) => problemWithStart(times, timeZone),
  to: (_: string, times: Times) =>
    spanOf(times, timeZone) || problemWithStart(times, timeZone) ? null : 'Choose the end',
  count: (count: number | string, { repeat }: BookingValues) =>
    repeat === 'NONE' || (Number(count) >= 2 && Number(count) <= 366) ? null : 'From 2 to 366',
});

export function problemWithStart({ day, from }: Times, timeZone: string): string | null {
  if (!from) return 'Choose the start';
  return instantAt(day, from, timeZone) ? null : 'The clocks skip this time on that day';
}

export const endsNextDay = ({ from, to }: Times) => from !== '' && to !== '' && to <= from;

/** As instants; null while it is not all there. */
export function spanOf(times: Times, timeZone: string) {
  const { day, from, to } = times;
  const startsAt = instantAt(day, from, timeZone);
  const endsAt = startsAt && instantAt(endsNextDay(times) ? nextDay(day, 1) : day, to, timeZone);
  return startsAt && endsAt ? { startsAt, endsAt } : null;
}

export const timesOf = ({ startsAt, endsAt }: Slot, timeZone: string): Times => ({
  day: dayAt(startsAt, timeZone),
  from: timeAt(startsAt, timeZone),
  to: timeAt(endsAt, timeZone),
});

const NOBODY_YET = 'A guest';

/** Who books may still be open: then it is asked as for a guest. Null while the rest is not all there. */
export function inputOf(values: BookingValues, timeZone: string): BookingInput | null {
  const span = spanOf(values, timeZone);
  if (span === null || values.resourceId === null) return null;
  const { kind, member, guestName, guestEmail, title, notes } = values;
  const holder =
    kind === 'member' && member
      ? { memberId: member.id }
      : { guest: { name: guestName.trim() || NOBODY_YET, email: guestEmail.trim() || null } };
  return {
    resourceId: values.resourceId,
    ...span,
    ...holder,
    title: title.trim() || null,
    notes: notes.trim() || null,
  };
}

export const seriesOf = (input: BookingInput, values: BookingValues): BookingSeriesInput => ({
  ...input,
  rule: `FREQ=${values.repeat};COUNT=${Number(values.count) || 2}`,
});
