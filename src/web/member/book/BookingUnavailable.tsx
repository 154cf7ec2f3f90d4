import { Alert, Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { PricePreview } from '../../admin/bookings/preview-queries.ts';
import { TimeButtons } from './TimeButtons.tsx';

interface BookingUnavailableProps {
  preview: Pick<PricePreview, 'reasons' | 'alternatives' | 'collisions'>;
  /** It could be had when it was looked at. */
  wasJustTaken: boolean;
  timeZone: string;
  onChoose: (slot: { startsAt: string; endsAt: string }) => void;
  onSeeBookings?: () => void;
}

/** Why not, and what else. */
export function BookingUnavailable({
  preview,
  wasJustTaken,
  timeZone,
  onChoose,
  onSeeBookings,
}: BookingUnavailableProps) {
  const { reasons, alternatives, collisions } = preview;
  // Of the bookings of others nobody is named. The answer to one's own may have been lost on the way.
  const isOwn = collisions.some(({ holder }) => holder !== null);
  const isTaken = reasons.some(({ reason }) => reason === 'SLOT_TAKEN');
  const taken = wasJustTaken && isTaken && 'Somebody was faster';
  return (
    <>
      <Alert
        color="orange"
        role="alert"
        title={(isOwn && 'You have booked this already') || taken || 'This cannot be booked'}
      >
        {reasons.map(({ reason, message }) => (
          <Text key={reason} size="sm">
            {message}
          </Text>
        ))}
        {isOwn && (
          <Anchor component={Link} to="/" size="sm" onClick={onSeeBookings}>
            See my bookings
          </Anchor>
        )}
      </Alert>
      <AlternativeSlots slots={alternatives} timeZone={timeZone} onChoose={onChoose} />
    </>
  );
}

interface TimeSlot {
  startsAt: string;
  endsAt: string;
}

interface AlternativeSlotsProps {
  slots: TimeSlot[];
  timeZone: string;
  onChoose: (slot: TimeSlot) => void;
}

const AlternativeSlots = ({ slots, timeZone, onChoose }: AlternativeSlotsProps) =>
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
