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
}

/** Why not, and what else. */
export function NotToBeHad({ verdict, wasFaster, timeZone, onChoose }: Props) {
  const { reasons, alternatives, collisions } = verdict;
  const has = (wanted: string) => reasons.some(({ reason }) => reason === wanted);
  // Of the bookings of others nobody is named. The answer to one's own may have been lost on the way.
  const isOwn = collisions.some(({ holder }) => holder !== null);
  const taken = wasFaster && has('SLOT_TAKEN') && 'Somebody was faster';
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
          <Anchor component={Link} to="/" size="sm">
            See my bookings
          </Anchor>
        )}
      </Alert>
      {/* Another time is no help to somebody who may not book at all. */}
      {!has('MEMBER_INACTIVE') && (
        <Nearest slots={alternatives} timeZone={timeZone} onChoose={onChoose} />
      )}
    </>
  );
}
