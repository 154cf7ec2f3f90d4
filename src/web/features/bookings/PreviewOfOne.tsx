import { Group, Paper, Stack, Text } from '@mantine/core';
import { moneyWords } from '../../ui/money.ts';
import { clockIn, dayIn, timesIn } from '../../ui/place-words.ts';
import { Alternatives } from './Alternatives.tsx';
import { lineWords } from './booking-words.ts';
import type { PricePreview, Slot } from './preview-queries.ts';
import { Reasons } from './Reasons.tsx';

interface Props {
  preview: PricePreview;
  /** Whether it is known who books: their plan decides about the price. */
  holder: boolean;
  isCurrent: boolean;
  timeZone: string;
  onTake: (slot: Slot) => void;
}

export function PreviewOfOne({ preview, holder, isCurrent, timeZone, onTake }: Props) {
  const { reasons, collisions, alternatives, lines, price } = preview;
  return (
    <Paper
      component="section"
      aria-label="Preview"
      aria-live="polite"
      aria-busy={!isCurrent}
      withBorder
      radius="md"
      p="sm"
    >
      <Stack gap="xs">
        <Reasons reasons={reasons} />
        {collisions.map(({ startsAt, endsAt, title, holder }) => (
          <Text key={startsAt} size="sm">
            {[title, holder].filter(Boolean).join(', ') || 'Somebody'}:{' '}
            {timesIn(startsAt, endsAt, timeZone)}
          </Text>
        ))}
        <Alternatives slots={alternatives} timeZone={timeZone} onTake={onTake} />
        <div>
          {lines.map((line) => {
            const [step, amount] = lineWords(line);
            return <Step key={line.kind} step={step} amount={amount} />;
          })}
          <Step step={holder ? 'Price' : 'Price for a guest'} amount={moneyWords(price)} isSum />
        </div>
        <Text size="xs" c="dimmed">
          {cancellationWords(preview, timeZone)}
          {!holder && ' Choose the member to see their own price.'}
        </Text>
      </Stack>
    </Paper>
  );
}

const Step = ({ step, amount, isSum }: { step: string; amount: string; isSum?: boolean }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm" fw={isSum ? 600 : undefined}>
    <Text size="sm" fw="inherit">
      {step}
    </Text>
    <Text size="sm" fw="inherit" style={{ whiteSpace: 'nowrap' }}>
      {amount}
    </Text>
  </Group>
);

function cancellationWords({ price, freeCancellationUntil }: PricePreview, timeZone: string) {
  if (price.amount === 0) return '';
  const until = new Date(freeCancellationUntil);
  if (until < new Date()) return 'A cancellation costs the whole price from now on.';
  return `Free cancellation until ${dayIn(until, timeZone)}, ${clockIn(until, timeZone)}.`;
}
