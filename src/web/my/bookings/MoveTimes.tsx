import { Box, Text } from '@mantine/core';
import { Loaded } from '../../ui/Loaded.tsx';
import { longDayWords } from '../../ui/place-words.ts';
import { minutesBetween } from '../../ui/wall-clock.ts';
import { useFreeTimes } from '../book/queries.ts';
import { TimeButtons } from '../book/TimeButtons.tsx';
import type { MyBooking } from './queries.ts';

interface Props {
  booking: MyBooking;
  day: string;
  onChoose: (slot: { startsAt: string; endsAt: string }) => void;
}

export function MoveTimes({ booking, day, onChoose }: Props) {
  const { resource, startsAt, endsAt } = booking;
  const { timeZone } = booking.location;
  const minutes = minutesBetween(startsAt, endsAt);
  const times = useFreeTimes({ resourceId: resource.id, minutes, day, timeZone });
  return (
    <Loaded query={times} height={120}>
      {([found]) => {
        const slots = found?.slots ?? [];
        if (slots.length === 0) {
          return (
            <Text size="sm" role="status">
              {resource.name} has no other free time for as long on {longDayWords(day)}. Choose
              another day.
            </Text>
          );
        }
        return (
          <Box aria-busy={times.isPlaceholderData} opacity={times.isPlaceholderData ? 0.6 : 1}>
            <Text size="sm">Or take a free time:</Text>
            <TimeButtons
              label={`Free times of ${resource.name}`}
              slots={slots}
              timeZone={timeZone}
              onChoose={onChoose}
            />
          </Box>
        );
      }}
    </Loaded>
  );
}
