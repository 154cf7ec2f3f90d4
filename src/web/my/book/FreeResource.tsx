import { Anchor, Group, Paper, Text, Title } from '@mantine/core';
import { useId, useState } from 'react';
import type { ResourceDetails } from '../../features/spaces/resource-queries.ts';
import { moneyWords } from '../../ui/money.ts';
import { durationWords } from '../../ui/place-words.ts';
import type { Choice } from './BookThis.tsx';
import type { PricedSlot } from './queries.ts';
import { TimeButtons } from './TimeButtons.tsx';

const FIRST = 12;

interface Props {
  resource: ResourceDetails;
  slots: PricedSlot[];
  minutes: number;
  timeZone: string;
  onChoose: (choice: Choice) => void;
}

export function FreeResource({ resource, slots, minutes, timeZone, onChoose }: Props) {
  const id = useId();
  const [isWhole, setIsWhole] = useState(false);
  const isCut = !isWhole && slots.length > FIRST + 4;
  const { name, type, capacity, amenities, requiresApproval } = resource;
  const facts = [
    type === 'ROOM' && `for ${capacity}`,
    ...amenities,
    requiresApproval && 'staff has to confirm it',
  ].filter(Boolean);
  return (
    <Paper component="section" aria-labelledby={id} withBorder radius="md" p="md">
      <Group justify="space-between" align="baseline" gap="xs">
        <Title id={id} order={2} size="h5" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Title>
        <Text size="sm">{slots[0] && priceWords(slots[0], minutes)}</Text>
      </Group>
      {facts.length > 0 && (
        <Text size="sm" c="dimmed">
          {facts.join(' · ')}
        </Text>
      )}
      <TimeButtons
        label={`Free times of ${name}`}
        slots={isCut ? slots.slice(0, FIRST) : slots}
        timeZone={timeZone}
        onChoose={(slot) => onChoose({ resource, ...slot })}
      />
      {isCut && (
        <Anchor component="button" type="button" size="sm" mt="xs" onClick={() => setIsWhole(true)}>
          Show all {slots.length} times of {name}
        </Anchor>
      )}
    </Paper>
  );
}

// Whose price depends on the plan, and the plan on the day: it is the same for all that is shown.
const priceWords = ({ price }: PricedSlot, minutes: number) =>
  price.amount === 0
    ? `Nothing to pay for ${durationWords(minutes)}`
    : `${moneyWords(price)} for ${durationWords(minutes)}`;
