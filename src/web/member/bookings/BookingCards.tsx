import { Button, Card, Group, Stack, Text } from '@mantine/core';
import { BOOKING_STATUS_LABELS } from '../../admin/bookings/booking-labels.ts';
import {
  formatExactDateTime,
  formatExactDateTimeRange,
} from '../../components/format-ambiguous-time.ts';
import { formatTimeZone } from '../../components/format-local-time.ts';
import { formatMoney } from '../../components/money.ts';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import classes from './BookingCards.module.css';
import { findRescheduleDeadline, type MyBooking } from './queries.ts';

interface Props {
  label: string;
  bookings: MyBooking[];
  now: Date;
  onCancel?: (booking: MyBooking) => void;
  onMove?: (booking: MyBooking) => void;
}

export const BookingCards = ({ label, bookings, ...props }: Props) => (
  <Stack component="ul" aria-label={label} className={classes.cards} gap="sm">
    {bookings.map((booking) => (
      <BookingCard key={booking.id} booking={booking} {...props} />
    ))}
  </Stack>
);

type BookingCardProps = Omit<Props, 'label' | 'bookings'> & { booking: MyBooking };

function BookingCard({ booking, now, onCancel, onMove }: BookingCardProps) {
  const { resource, location, startsAt, endsAt, title } = booking;
  const { timeZone } = location;
  const when = formatExactDateTimeRange(startsAt, endsAt, timeZone);
  const isEnded = onCancel === undefined;
  const until = findRescheduleDeadline(booking);
  const mayMove = until === null || now <= until;
  return (
    <Card component="li" withBorder radius="md" padding="md" c={isEnded ? 'dimmed' : ''}>
      <Group justify="space-between" align="flex-start" gap="xs">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {title ? `${title}, ${resource.name}` : resource.name}
        </Text>
        <BookingStateBadge booking={booking} now={now} />
      </Group>
      <Text size="sm" mt={4}>
        {when}{' '}
        <Text span inherit c="dimmed">
          ({formatTimeZone(timeZone)})
        </Text>
      </Text>
      <Text size="sm" c="dimmed">
        {location.address ? `${location.name}, ${location.address}` : location.name}
      </Text>
      <Text size="sm" mt={4}>
        {formatAmountDue(booking)}
      </Text>
      {!isEnded && (
        <Group gap="xs" mt="sm">
          {mayMove && (
            <Button
              size="xs"
              variant="default"
              aria-label={`Move ${resource.name}, ${when}`}
              onClick={() => onMove?.(booking)}
            >
              Move
            </Button>
          )}
          <Button
            size="xs"
            variant="subtle"
            color="red"
            aria-label={`Cancel ${resource.name}, ${when}`}
            onClick={() => onCancel?.(booking)}
          >
            Cancel
          </Button>
          {!mayMove && until && (
            <Text size="xs" c="dimmed">
              Could be moved until {formatExactDateTime(until, timeZone)}
            </Text>
          )}
        </Group>
      )}
    </Card>
  );
}

function BookingStateBadge({
  booking: { status, startsAt, endsAt },
  now,
}: {
  booking: MyBooking;
  now: Date;
}) {
  if (status === 'CONFIRMED' && new Date(endsAt) <= now)
    return <StatusBadge color="gray">Over</StatusBadge>;
  if (status === 'CONFIRMED' && new Date(startsAt) <= now)
    return <StatusBadge color="teal">Now</StatusBadge>;
  const [color, word] = BOOKING_STATUS_LABELS[status];
  return <StatusBadge color={color}>{word}</StatusBadge>;
}

function formatAmountDue({ price, cancellation }: MyBooking): string {
  const due = cancellation?.fee ?? price;
  if (due.amount === 0) return 'Nothing to pay';
  return cancellation ? `Cancelled late: ${formatMoney(due)} stays due` : formatMoney(due);
}
