import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { formatLocalDateTime, formatLocalDateTimeRange } from '../../../core/time/format.ts';
import { SeriesScopeField } from '../../admin/bookings/BookingFields.tsx';
import { useCancelBooking } from '../../admin/bookings/mutations.ts';
import { useNow } from '../../components/browser-time.tsx';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { formatMoney } from '../../components/money.ts';
import { notifySuccess } from '../../components/notify.ts';
import type { SeriesScope } from '../../gql/graphql.ts';
import type { MyBooking } from './queries.ts';

export function CancelBooking({ booking, onClose }: { booking: MyBooking; onClose: () => void }) {
  const { id, resource, location, startsAt, endsAt } = booking;
  const now = useNow(1);
  const [scope, setScope] = useState<SeriesScope>('THIS');
  const cancel = useCancelBooking(() => {
    notifySuccess('Booking cancelled.');
    onClose();
  });
  return (
    <Stack gap="sm">
      <FormError error={cancel.error} />
      <Text size="sm">
        <b>{resource.name}</b>, {formatLocalDateTimeRange(startsAt, endsAt, location.timeZone)}
      </Text>
      <Text size="sm">{formatCancellationCost(booking, now)}</Text>
      <SeriesScopeField
        label="This booking repeats. What do you want to cancel?"
        booking={booking}
        value={scope}
        onChange={setScope}
      />
      {scope !== 'THIS' && (
        <Text size="sm">
          You can cancel the other bookings free of charge, too, except approved ones that start
          within {resource.freeCancellationHours} h: their full price is due.
        </Text>
      )}
      <DialogActions
        label="Cancel booking"
        cancelLabel="Keep booking"
        color="red"
        pending={cancel.isPending}
        onCancel={onClose}
        onConfirm={() => cancel.mutate({ id, scope, waiveFee: false })}
      />
    </Stack>
  );
}

function formatCancellationCost(booking: MyBooking, now: Date): string {
  const { freeCancellationUntil } = booking.allowedActions;
  if (freeCancellationUntil === null)
    return 'This booking isn’t approved yet, so you can cancel it free of charge.';
  const deadline = new Date(freeCancellationUntil);
  const time = formatLocalDateTime(deadline, booking.location.timeZone);
  if (now <= deadline) return `You can cancel free of charge until ${time}.`;
  const late = `Free cancellation ended ${time}.`;
  const { price } = booking;
  return price.amount > 0
    ? `${late} The full price of ${formatMoney(price)} is due, and any plan hours it used aren’t returned.`
    : `${late} There’s nothing to pay, but any plan hours it used aren’t returned.`;
}
