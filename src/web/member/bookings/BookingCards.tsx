import { Button, Card, Group, Stack, Text } from '@mantine/core';
import { getBookingStatusLabels } from '../../admin/bookings/booking-labels.ts';
import { formatMoney } from '../../components/money.ts';
import { StatusBadge } from '../../components/PageLayout.tsx';
import { getMemberText } from '../../language/member-texts.ts';
import {
  formatLocalDateTime,
  formatLocalDateTimeRange,
  formatTimeZone,
} from '../../language/page-dates.ts';
import classes from './BookingCards.module.css';
import type { MyBooking } from './queries.ts';

interface Props {
  label: string;
  bookings: MyBooking[];
  now: Date;
  onCancel?: (booking: MyBooking) => void;
  onReschedule?: (booking: MyBooking) => void;
}

export const BookingCards = ({ label, bookings, ...props }: Props) => (
  <Stack component="ul" aria-label={label} className={classes.cards} gap="sm">
    {bookings.map((booking) => (
      <BookingCard key={booking.id} booking={booking} {...props} />
    ))}
  </Stack>
);

type BookingCardProps = Omit<Props, 'label' | 'bookings'> & { booking: MyBooking };

function BookingCard({ booking, now, onCancel, onReschedule }: BookingCardProps) {
  const { resource, location, startsAt, endsAt, title } = booking;
  const { timeZone } = location;
  const when = formatLocalDateTimeRange(startsAt, endsAt, timeZone);
  const named = `${resource.name}, ${when}`;
  const isEnded = onCancel === undefined;
  const { reschedule: canReschedule, freeCancellationUntil: deadline } = booking.allowedActions;
  return (
    <Card component="li" withBorder radius="md" padding="md" c={isEnded ? 'dimmed' : ''}>
      <Group justify="space-between" align="flex-start" gap="xs">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {title ? `${title}, ${resource.name}` : resource.name}
        </Text>
        <BookingStatusBadge booking={booking} now={now} />
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
          {canReschedule && (
            <Button
              size="xs"
              variant="default"
              aria-label={getMemberText('booking.rescheduleNamed', { booking: named })}
              onClick={() => onReschedule?.(booking)}
            >
              {getMemberText('booking.reschedule')}
            </Button>
          )}
          <Button
            size="xs"
            variant="subtle"
            color="red"
            aria-label={getMemberText('booking.cancelNamed', { booking: named })}
            onClick={() => onCancel?.(booking)}
          >
            {getMemberText('booking.cancel')}
          </Button>
          {!canReschedule && deadline && (
            <Text size="xs" c="dimmed">
              {getMemberText('booking.rescheduleEnded', {
                time: formatLocalDateTime(new Date(deadline), timeZone),
              })}
            </Text>
          )}
        </Group>
      )}
    </Card>
  );
}

function BookingStatusBadge({
  booking: { status, startsAt, endsAt },
  now,
}: {
  booking: MyBooking;
  now: Date;
}) {
  if (status === 'CONFIRMED' && new Date(endsAt) <= now)
    return <StatusBadge color="gray">{getMemberText('booking.ended')}</StatusBadge>;
  if (status === 'CONFIRMED' && new Date(startsAt) <= now)
    return <StatusBadge color="teal">{getMemberText('booking.now')}</StatusBadge>;
  const [color, label] = getBookingStatusLabels()[status];
  return <StatusBadge color={color}>{label}</StatusBadge>;
}

function formatAmountDue({ price, cancellation, payment }: MyBooking): string {
  const due = cancellation?.fee ?? price;
  if (payment.status === 'OVERPAID')
    return getMemberText('booking.surplus', { money: formatMoney(payment.surplus) });
  if (due.amount === 0) return getMemberText('booking.noCharge');
  const money = formatMoney(due);
  const cost = cancellation ? getMemberText('booking.lateCancellation', { money }) : money;
  if (payment.status === 'PAID')
    return payment.due.amount < due.amount
      ? getMemberText('booking.partlyPaid', { cost, money: formatMoney(payment.paid) })
      : getMemberText('booking.paid', { cost });
  if (payment.status !== 'UNPAID') return cost;
  return payment.paid.amount > 0
    ? getMemberText('booking.stillOpen', { cost, money: formatMoney(payment.open) })
    : getMemberText('booking.notPaid', { cost });
}
