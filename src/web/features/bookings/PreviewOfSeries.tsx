import { List, Paper, Stack, Text } from '@mantine/core';
import { moneyWords } from '../../ui/money.ts';
import { dayIn, dayWords } from '../../ui/place-words.ts';
import type { SeriesPreview } from './preview-queries.ts';

interface Props {
  preview: SeriesPreview;
  isCurrent: boolean;
  timeZone: string;
}

export function PreviewOfSeries({ preview, isCurrent, timeZone }: Props) {
  const { occurrences, conflicts } = preview;
  const first = occurrences[0];
  const last = occurrences.at(-1);
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
        {first && last && (
          <Text size="sm">
            {occurrences.length} can be had, from {dayIn(first.startsAt, timeZone)} to{' '}
            {dayIn(last.startsAt, timeZone)}: {totalWords(occurrences)} altogether.
          </Text>
        )}
        {conflicts.length > 0 && (
          <div role="alert">
            <Text size="sm" c="var(--mantine-color-error)">
              {conflicts.length} cannot:
            </Text>
            <List size="sm" mah={180} style={{ overflowY: 'auto' }}>
              {conflicts.map(({ localStart, reasons }) => (
                <List.Item key={localStart}>
                  <b>{dayWords(localStart.slice(0, 10))}</b>:{' '}
                  {reasons.map(({ message }) => message).join(' ')}
                </List.Item>
              ))}
            </List>
          </div>
        )}
      </Stack>
    </Paper>
  );
}

function totalWords(occurrences: SeriesPreview['occurrences']): string {
  const currency = occurrences[0]?.price.currency ?? 'EUR';
  const amount = occurrences.reduce((sum, { price }) => sum + price.amount, 0);
  return moneyWords({ amount, currency });
}
