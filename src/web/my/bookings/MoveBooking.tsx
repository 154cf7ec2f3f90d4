import { Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { isWhereItIs } from '../../features/bookings/booking-words.ts';
import type { Slot } from '../../features/bookings/preview-queries.ts';
import { zoneWords } from '../../ui/place-words.ts';
import { exactSpanIn } from '../../ui/shown-twice.ts';
import { dayAt, instantAt, later, minutesBetween, timeAt } from '../../ui/wall-clock.ts';
import { DayField } from '../book/DayField.tsx';
import { MoveThere } from './MoveThere.tsx';
import { MoveTimes } from './MoveTimes.tsx';
import type { MyBooking } from './queries.ts';

/** To another time of the same thing, for as long; the old time is kept until the new one is had. */
export function MoveBooking({ booking, onClose }: { booking: MyBooking; onClose: () => void }) {
  const { resource, location, startsAt, endsAt, seriesId } = booking;
  const { timeZone } = location;
  const [today] = useState(() => dayAt(new Date(), timeZone));
  const [day, setDay] = useState(() => dayAt(startsAt, timeZone));
  const [start, setStart] = useState('');
  const [target, setTarget] = useState<Slot | null>(null);
  const look = (day: string) => {
    setDay(day);
    setStart('');
    setTarget(null);
  };
  const choose = (slot: Slot) => {
    setDay(dayAt(slot.startsAt, timeZone));
    setStart(timeAt(slot.startsAt, timeZone));
    setTarget(slot);
  };
  const type = (start: string) => {
    const at = instantAt(day, start, timeZone);
    setStart(start);
    setTarget(at ? { startsAt: at, endsAt: later(at, minutesBetween(startsAt, endsAt)) } : null);
  };
  const isThere = target !== null && isWhereItIs(target, booking);
  return (
    <Stack gap="sm">
      <Text size="sm">
        <b>{resource.name}</b> is yours on {exactSpanIn(startsAt, endsAt, timeZone)} (
        {zoneWords(timeZone)}).{seriesId !== null && ' Only this one of the series is moved.'}
      </Text>
      <DayField today={today} day={day} onChange={look} />
      <TextInput
        type="time"
        label="New start"
        description="It may overlap the present time."
        value={start}
        error={startProblem(start, target, isThere)}
        onChange={({ currentTarget: { value } }) => type(value)}
      />
      {target === null || isThere ? (
        <MoveTimes booking={booking} day={day} onChoose={choose} />
      ) : (
        <MoveThere
          key={target.startsAt}
          booking={booking}
          target={target}
          onChoose={choose}
          onOther={() => look(day)}
          onClose={onClose}
        />
      )}
    </Stack>
  );
}

function startProblem(start: string, target: Slot | null, isThere: boolean): string | null {
  if (start !== '' && target === null) return 'The clocks skip this time on that day';
  return isThere ? 'That is when it begins now' : null;
}
