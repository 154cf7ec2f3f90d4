import { Text } from '@mantine/core';
import { Loaded } from '../../ui/Loaded.tsx';
import { longDayWords } from '../../ui/place-words.ts';
import { useNow } from '../../ui/use-now.ts';
import { dayAt, minutesBetween } from '../../ui/wall-clock.ts';
import { useFreeTimes } from '../book/queries.ts';
import { TimeButtons } from '../book/TimeButtons.tsx';
import { nearby } from './moves.ts';
import type { MyBooking } from './queries.ts';

interface Props {
  booking: MyBooking;
  day: string;
  onChoose: (slot: { startsAt: string; endsAt: string }) => void;
}

export function MoveTimes({ booking, day, onChoose }: Props) {
  const { resource, startsAt, endsAt } = booking;
  const { timeZone } = booking.location;
  const now = useNow(30);
  const minutes = minutesBetween(startsAt, endsAt);
  const times = useFreeTimes({ resourceId: resource.id, minutes, day, timeZone });
  return (
    <Loaded query={times} height={120}>
      {([found]) => {
        const near = found ? nearby(booking, found.free, now) : [];
        const slots = [...(found?.slots ?? []), ...near]
          .filter((slot) => dayAt(slot.startsAt, timeZone) === day)
          .toSorted((a, b) => a.startsAt.localeCompare(b.startsAt));
        if (slots.length === 0) {
          return (
            <Text size="sm" role="status">
              {resource.name} has no other free time for as long on {longDayWords(day)}. Choose
              another day.
            </Text>
          );
        }
        return (
          <TimeButtons
            label={`Free times of ${resource.name}`}
            slots={slots}
            timeZone={timeZone}
            onChoose={onChoose}
          />
        );
      }}
    </Loaded>
  );
}
