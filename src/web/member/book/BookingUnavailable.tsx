import { Alert, Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { PricePreview } from '../../admin/bookings/booking-preview.ts';
import { getMemberText } from '../../language/member-texts.ts';
import { translateReason } from '../../language/reason-texts.ts';
import { TimeButtons, type TimeSlot } from './TimeButtons.tsx';

interface BookingUnavailableProps {
  preview: Pick<PricePreview, 'reasons' | 'alternatives' | 'collisions'>;
  /** Whether the slot was still free when the member opened the dialog. */
  wasJustTaken: boolean;
  timeZone: string;
  onChoose: (slot: TimeSlot) => void;
  onSeeBookings?: () => void;
}

/** Explains why a booking is rejected and offers free times nearby. */
export function BookingUnavailable({
  preview,
  wasJustTaken,
  timeZone,
  onChoose,
  onSeeBookings,
}: BookingUnavailableProps) {
  const { reasons, alternatives, collisions } = preview;
  // Members see the holder of their own bookings only. If it is theirs, the response to an earlier attempt may have been lost.
  const isOwn = collisions.some(({ holder }) => holder !== null);
  const isTaken = reasons.some(({ reason }) => reason === 'SLOT_TAKEN');
  const justTaken = wasJustTaken && isTaken && getMemberText('unavailable.justTaken');
  return (
    <>
      <Alert
        color="orange"
        role="alert"
        title={
          (isOwn && getMemberText('unavailable.own')) ||
          justTaken ||
          getMemberText('unavailable.title')
        }
      >
        {reasons.map(({ reason, message }) => (
          <Text key={reason} size="sm">
            {translateReason(reason, message)}
          </Text>
        ))}
        {isOwn && (
          <Anchor
            component={Link}
            to="/"
            size="sm"
            c="inherit"
            td="underline"
            onClick={onSeeBookings}
          >
            {getMemberText('unavailable.seeBookings')}
          </Anchor>
        )}
      </Alert>
      <AlternativeSlots slots={alternatives} timeZone={timeZone} onChoose={onChoose} />
    </>
  );
}

interface AlternativeSlotsProps {
  slots: TimeSlot[];
  timeZone: string;
  onChoose: (slot: TimeSlot) => void;
}

const AlternativeSlots = ({ slots, timeZone, onChoose }: AlternativeSlotsProps) =>
  slots.length > 0 && (
    <div>
      <Text size="sm">{getMemberText('unavailable.nearest')}</Text>
      <TimeButtons
        label={getMemberText('unavailable.nearestList')}
        slots={slots}
        timeZone={timeZone}
        withDay
        onChoose={onChoose}
      />
    </div>
  );
