import { Button, Group, Text } from '@mantine/core';
import { dayIn, timesIn } from '../../ui/place-words.ts';
import { dayAt } from '../../ui/wall-clock.ts';

interface Slot {
  startsAt: string;
  endsAt: string;
}

interface Props {
  slots: Slot[];
  timeZone: string;
  onTake: (slot: Slot) => void;
}

/** The nearest free slots of the same length. */
export function Alternatives({ slots, timeZone, onTake }: Props) {
  if (slots.length === 0) return null;
  const days = new Set(slots.map(({ startsAt }) => dayAt(startsAt, timeZone)));
  return (
    <div>
      <Text size="sm">
        Free instead{days.size === 1 && ` on ${dayIn(slots[0]?.startsAt ?? '', timeZone)}`}:
      </Text>
      <Group gap="xs" mt={4}>
        {slots.map((slot) => (
          <Button
            key={slot.startsAt}
            size="xs"
            variant="light"
            onClick={() => onTake(slot)}
            aria-label={`Take ${dayIn(slot.startsAt, timeZone)}, ${timesIn(slot.startsAt, slot.endsAt, timeZone)}`}
          >
            {days.size > 1 && `${dayIn(slot.startsAt, timeZone)}, `}
            {timesIn(slot.startsAt, slot.endsAt, timeZone)}
          </Button>
        ))}
      </Group>
    </div>
  );
}
