import { Text } from '@mantine/core';
import { TimeButtons } from './TimeButtons.tsx';

interface Slot {
  startsAt: string;
  endsAt: string;
}

interface Props {
  slots: Slot[];
  timeZone: string;
  onChoose: (slot: Slot) => void;
}

export const Nearest = ({ slots, timeZone, onChoose }: Props) =>
  slots.length > 0 && (
    <div>
      <Text size="sm">Free, and nearest to it:</Text>
      <TimeButtons
        label="The nearest free times"
        slots={slots}
        timeZone={timeZone}
        withDay
        onChoose={onChoose}
      />
    </div>
  );
