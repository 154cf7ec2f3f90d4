import { Anchor, Button, Group, Stack } from '@mantine/core';
import { Link } from 'react-router';
import { may, useStaff } from '../../session/viewer.ts';
import { Facts } from '../../ui/Facts.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { moneyWords } from '../../ui/money.ts';
import { notifyDone } from '../../ui/notify.ts';
import { spanIn, zoneWords } from '../../ui/place-words.ts';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { useNow } from '../../ui/use-now.ts';
import type { Step } from './BookingDialog.tsx';
import { holderOf, isLive, STATUS } from './booking-words.ts';
import { useApproveBooking, useCheckInBooking } from './changes.ts';
import type { BookingDetails } from './queries.ts';

interface Props {
  booking: BookingDetails;
  onStep: (step: Step) => void;
}

export function BookingFacts({ booking, onStep }: Props) {
  const { startsAt, endsAt, location, price, cancellation, createdAt } = booking;
  const [color, word] = STATUS[booking.status];
  return (
    <Stack>
      <Facts
        of={[
          [
            'State',
            <StateBadge key="state" color={color}>
              {word}
            </StateBadge>,
          ],
          ['Who', <Holder key="who" booking={booking} />],
          [
            'When',
            `${spanIn(startsAt, endsAt, location.timeZone)}, ${zoneWords(location.timeZone)}`,
          ],
          ['Where', location.name],
          ['Title', booking.title],
          ['Notes', booking.notes],
          ['Price', moneyWords(price)],
          ['Series', booking.seriesId && 'One of several that repeat'],
          ['Came', booking.checkedInAt && <Moment key="in" at={booking.checkedInAt} as="since" />],
          [
            'Cancelled',
            cancellation && <Moment key="off" at={cancellation.cancelledAt} as="since" />,
          ],
          ['Reason', cancellation?.reason],
          ['Stays due', cancellation && moneyWords(cancellation.fee)],
          ['Made', <Moment key="made" at={createdAt} as="since" />],
        ]}
      />
      <Actions booking={booking} onStep={onStep} />
    </Stack>
  );
}

function Holder({ booking }: { booking: BookingDetails }) {
  const mayRead = may(useStaff(), 'members:read');
  const { member, guest } = booking;
  if (member && mayRead) {
    return (
      <Anchor component={Link} to={`/members/${member.id}`} size="sm">
        {member.name}
      </Anchor>
    );
  }
  return [holderOf(booking), guest?.email].filter(Boolean).join(', ');
}

const EARLY_MS = 3_600_000;

/** When somebody may come for it; the service allows as much. */
const isNear = ({ startsAt, endsAt }: BookingDetails, now: Date) =>
  now.getTime() > new Date(startsAt).getTime() - EARLY_MS && now < new Date(endsAt);

function Actions({ booking, onStep }: Props) {
  const viewer = useStaff();
  const now = useNow(15);
  const approve = useApproveBooking(() => notifyDone('The booking is approved.'));
  const checkIn = useCheckInBooking(() => notifyDone('Checked in.'));
  if (!isLive(booking) || !may(viewer, 'bookings:write')) return null;
  const isPending = booking.status === 'PENDING';
  const mayArrive =
    !isPending &&
    booking.checkedInAt === null &&
    isNear(booking, now) &&
    may(viewer, 'check-ins:write');
  return (
    <>
      <FormFailure error={approve.error ?? checkIn.error} />
      <Group gap="xs" justify="flex-end">
        <Button variant="subtle" color="red" onClick={() => onStep('cancel')}>
          {isPending ? 'Decline' : 'Cancel booking'}
        </Button>
        <Button variant="default" onClick={() => onStep('edit')}>
          Edit
        </Button>
        <Button variant="default" onClick={() => onStep('move')}>
          Move
        </Button>
        {mayArrive && (
          <Button
            variant="default"
            loading={checkIn.isPending}
            onClick={() => checkIn.mutate(booking.id)}
          >
            Check in
          </Button>
        )}
        {isPending && (
          <Button loading={approve.isPending} onClick={() => approve.mutate(booking.id)}>
            Approve
          </Button>
        )}
      </Group>
    </>
  );
}
