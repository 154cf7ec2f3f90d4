import { Button, Card, Group, Stack, Text } from '@mantine/core';
import { STATUS } from '../../features/bookings/booking-words.ts';
import { moneyWords } from '../../ui/money.ts';
import { zoneWords } from '../../ui/place-words.ts';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { exactMomentIn, exactSpanIn } from '../../ui/shown-twice.ts';
import classes from './BookingCards.module.css';
import { movableUntil } from './deadline.ts';
import type { MyBooking } from './queries.ts';

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

type CardProps = Omit<Props, 'label' | 'bookings'> & { booking: MyBooking };

function BookingCard({ booking, now, onCancel, onMove }: CardProps) {
  const { resource, location, startsAt, endsAt, title } = booking;
  const { timeZone } = location;
  const when = exactSpanIn(startsAt, endsAt, timeZone);
  const isEnded = onCancel === undefined;
  const until = movableUntil(booking);
  const mayMove = until === null || now <= until;
  return (
    <Card component="li" withBorder radius="md" padding="md" c={isEnded ? 'dimmed' : ''}>
      <Group justify="space-between" align="flex-start" gap="xs">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {title ? `${title}, ${resource.name}` : resource.name}
        </Text>
        <State booking={booking} now={now} />
      </Group>
      <Text size="sm" mt={4}>
        {when}{' '}
        <Text span inherit c="dimmed">
          ({zoneWords(timeZone)})
        </Text>
      </Text>
      <Text size="sm" c="dimmed">
        {location.address ? `${location.name}, ${location.address}` : location.name}
      </Text>
      <Text size="sm" mt={4}>
        {priceWords(booking)}
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
              Could be moved until {exactMomentIn(until, timeZone)}
            </Text>
          )}
        </Group>
      )}
    </Card>
  );
}

function State({ booking: { status, startsAt, endsAt }, now }: { booking: MyBooking; now: Date }) {
  if (status === 'CONFIRMED' && new Date(endsAt) <= now)
    return <StateBadge color="gray">Over</StateBadge>;
  if (status === 'CONFIRMED' && new Date(startsAt) <= now)
    return <StateBadge color="teal">Now</StateBadge>;
  const [color, word] = STATUS[status];
  return <StateBadge color={color}>{word}</StateBadge>;
}

function priceWords({ price, cancellation }: MyBooking): string {
  const due = cancellation?.fee ?? price;
  if (due.amount === 0) return 'Nothing to pay';
  return cancellation ? `Cancelled late: ${moneyWords(due)} stays due` : moneyWords(due);
}
