import { Alert, Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { PricePreview } from '../../features/bookings/preview-queries.ts';
import { Nearest } from './Nearest.tsx';

interface Props {
  verdict: Pick<PricePreview, 'reasons' | 'alternatives' | 'collisions'>;
  /** It could be had when it was looked at. */
  wasFaster: boolean;
  timeZone: string;
  onChoose: (slot: { startsAt: string; endsAt: string }) => void;
  onSeeBookings?: () => void;
}

/** Why not, and what else. */
export function NotToBeHad({ verdict, wasFaster, timeZone, onChoose, onSeeBookings }: Props) {
  const { reasons, alternatives, collisions } = verdict;
  // Of the bookings of others nobody is named. The answer to one's own may have been lost on the way.
  const isOwn = collisions.some(({ holder }) => holder !== null);
  const isTaken = reasons.some(({ reason }) => reason === 'SLOT_TAKEN');
  const taken = wasFaster && isTaken && 'Somebody was faster';
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
      <Nearest slots={alternatives} timeZone={timeZone} onChoose={onChoose} />
    </>
  );
}
