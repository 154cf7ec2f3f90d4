import { Button, Group, List, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { useNow } from '../../components/browser-time.tsx';
import { formatMoney } from '../../components/money.ts';
import { getMemberText } from '../../language/member-texts.ts';
import { formatDate, formatLocalDate, formatLocalTimeRange } from '../../language/page-dates.ts';
import { translateReason } from '../../language/reason-texts.ts';
import type { Slot } from './booking-form-values.ts';
import { formatPriceLine } from './booking-labels.ts';
import type { PricePreview, SeriesPreview } from './booking-preview.ts';
import { formatCancellationTerms } from './booking-times.ts';

interface BookingPreviewCardProps {
  preview: PricePreview;
  /** Without a booker, the price is that of a guest. */
  isBookerKnown: boolean;
  isCurrent: boolean;
  timeZone: string;
  onSelect: (slot: Slot) => void;
}

export function BookingPreviewCard({
  preview,
  isBookerKnown,
  isCurrent,
  timeZone,
  onSelect,
}: BookingPreviewCardProps) {
  const now = useNow(30);
  const { reasons, collisions, alternatives, lines, price } = preview;
  return (
    <PreviewPanel isCurrent={isCurrent}>
      <ViolationList reasons={reasons} />
      {collisions.map(({ startsAt, endsAt, title, holder }) => (
        <Text key={startsAt} size="sm">
          {[title, holder].filter(Boolean).join(', ') || 'Another booking'}:{' '}
          {formatLocalTimeRange(startsAt, endsAt, timeZone)}
        </Text>
      ))}
      <Alternatives slots={alternatives} timeZone={timeZone} onSelect={onSelect} />
      <div>
        {lines.map((line) => {
          const [step, amount] = formatPriceLine(line);
          return <PriceStep key={line.kind} step={step} amount={amount} />;
        })}
        <PriceStep
          step={isBookerKnown ? 'Price' : 'Price for a guest'}
          amount={formatMoney(price)}
          isTotal
        />
      </div>
      <Text size="xs" c="dimmed">
        {price.amount > 0 && formatCancellationTerms(preview, 'cancel', timeZone, now)}
        {!isBookerKnown && ' Select a member to see their price.'}
      </Text>
    </PreviewPanel>
  );
}

/** Announces changes to screen readers. */
const PreviewPanel = ({ isCurrent, children }: { isCurrent: boolean; children: ReactNode }) => (
  <Paper
    component="section"
    aria-label={getMemberText('preview.label')}
    aria-live="polite"
    aria-busy={!isCurrent}
    withBorder
    radius="md"
    p="sm"
  >
    <Stack gap="xs">{children}</Stack>
  </Paper>
);

const PriceStep = ({
  step,
  amount,
  isTotal,
}: {
  step: string;
  amount: string;
  isTotal?: boolean;
}) => (
  <Group justify="space-between" wrap="nowrap" gap="sm" fw={isTotal ? 600 : undefined}>
    <Text size="sm" fw="inherit">
      {step}
    </Text>
    <Text size="sm" fw="inherit" style={{ whiteSpace: 'nowrap' }}>
      {amount}
    </Text>
  </Group>
);

interface AlternativesProps {
  slots: Slot[];
  timeZone: string;
  onSelect: (slot: Slot) => void;
}

/** The nearest free slots of the same duration. */
function Alternatives({ slots, timeZone, onSelect }: AlternativesProps) {
  if (slots.length === 0) return null;
  const days = new Set(slots.map(({ startsAt }) => toLocalDate(startsAt, timeZone)));
  return (
    <div>
      <Text size="sm">
        Next free times
        {days.size === 1 && ` on ${formatLocalDate(slots[0]?.startsAt ?? '', timeZone)}`}:
      </Text>
      <Group gap="xs" mt={4}>
        {slots.map((slot) => (
          <Button
            key={slot.startsAt}
            size="xs"
            variant="light"
            onClick={() => onSelect(slot)}
            aria-label={`Select ${formatLocalDate(slot.startsAt, timeZone)}, ${formatLocalTimeRange(slot.startsAt, slot.endsAt, timeZone)}`}
          >
            {days.size > 1 && `${formatLocalDate(slot.startsAt, timeZone)}, `}
            {formatLocalTimeRange(slot.startsAt, slot.endsAt, timeZone)}
          </Button>
        ))}
      </Group>
    </div>
  );
}

interface ViolationListProps {
  reasons: { reason: string; message: string }[];
}

/** The booking rules that are violated. */
const ViolationList = ({ reasons }: ViolationListProps) =>
  reasons.length === 0 ? null : (
    <div role="alert">
      <List size="sm" c="var(--mantine-color-error)">
        {reasons.map(({ reason, message }) => (
          <List.Item key={reason}>{message}</List.Item>
        ))}
      </List>
    </div>
  );

interface SeriesPreviewCardProps {
  preview: SeriesPreview;
  isCurrent: boolean;
  timeZone: string;
}

export function SeriesPreviewCard({ preview, isCurrent, timeZone }: SeriesPreviewCardProps) {
  const { occurrences, conflicts } = preview;
  const first = occurrences[0];
  const last = occurrences.at(-1);
  return (
    <PreviewPanel isCurrent={isCurrent}>
      {first && last && (
        <Text size="sm">
          {getMemberText('preview.available', {
            count: occurrences.length,
            first: formatLocalDate(first.startsAt, timeZone),
            last: formatLocalDate(last.startsAt, timeZone),
            money: formatTotal(occurrences),
          })}
        </Text>
      )}
      {conflicts.length > 0 && (
        <div role="alert">
          <Text size="sm" c="var(--mantine-color-error)">
            {getMemberText('preview.unavailable', { count: conflicts.length })}
          </Text>
          <List size="sm" mah={180} style={{ overflowY: 'auto' }}>
            {conflicts.map(({ localStart, reasons }) => (
              <List.Item key={localStart}>
                <b>{formatDate(localStart.slice(0, 10))}</b>:{' '}
                {reasons.map(({ reason, message }) => translateReason(reason, message)).join(' ')}
              </List.Item>
            ))}
          </List>
        </div>
      )}
    </PreviewPanel>
  );
}

function formatTotal(occurrences: SeriesPreview['occurrences']): string {
  const currency = occurrences[0]?.price.currency ?? 'EUR';
  const amount = occurrences.reduce((sum, { price }) => sum + price.amount, 0);
  return formatMoney({ amount, currency });
}
