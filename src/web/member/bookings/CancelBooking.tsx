import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useCancelBooking } from '../../admin/bookings/mutations.ts';
import { SeriesScopeField } from '../../admin/bookings/SeriesScopeField.tsx';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import {
  formatExactDateTime,
  formatExactDateTimeRange,
} from '../../components/format-ambiguous-time.ts';
import { formatMoney } from '../../components/money.ts';
import { notifySuccess } from '../../components/notify.ts';
import { useNow } from '../../components/use-now.ts';
import type { SeriesScope } from '../../gql/graphql.ts';
import { findRescheduleDeadline, type MyBooking } from './queries.ts';

export function CancelBooking({ booking, onClose }: { booking: MyBooking; onClose: () => void }) {
  const { id, resource, location, startsAt, endsAt } = booking;
  const now = useNow(1);
  const [scope, setScope] = useState<SeriesScope>('THIS');
  const cancel = useCancelBooking(() => {
    notifySuccess('Cancelled.');
    onClose();
  });
  return (
    <Stack gap="sm">
      <FormError error={cancel.error} />
      <Text size="sm">
        <b>{resource.name}</b>, {formatExactDateTimeRange(startsAt, endsAt, location.timeZone)}
      </Text>
      <Text size="sm">{formatCancellationCost(booking, now)}</Text>
      <SeriesScopeField
        label="It is one of a series. Which do you mean?"
        booking={booking}
        value={scope}
        onChange={setScope}
      />
      {scope !== 'THIS' && (
        <Text size="sm">
          Each of the others costs nothing, too, unless it begins within{' '}
          {resource.freeCancellationHours} h: then its price stays due.
        </Text>
      )}
      <DialogActions
        label="Cancel booking"
        cancelLabel="Keep it"
        color="red"
        pending={cancel.isPending}
        onCancel={onClose}
        onConfirm={() => cancel.mutate({ id, scope, waiveFee: false })}
      />
    </Stack>
  );
}

function formatCancellationCost(booking: MyBooking, now: Date): string {
  const until = findRescheduleDeadline(booking);
  if (until === null) return 'It is not approved yet: cancelling costs nothing.';
  const moment = formatExactDateTime(until, booking.location.timeZone);
  if (now <= until) return `Cancelling costs nothing until ${moment}.`;
  const late = `Cancelling was free until ${moment}.`;
  const { price } = booking;
  return price.amount > 0
    ? `${late} Now the full price of ${formatMoney(price)} stays due, and hours of your plan stay used.`
    : `${late} There is nothing to pay, but the hours that it took of your plan stay used.`;
}
