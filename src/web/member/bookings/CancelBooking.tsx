import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { SeriesScopeField } from '../../admin/bookings/BookingFields.tsx';
import { useCancelBooking } from '../../admin/bookings/mutations.ts';
import { useNow } from '../../components/browser-time.tsx';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { formatMoney } from '../../components/money.ts';
import { notifySuccess } from '../../components/notify.ts';
import type { SeriesScope } from '../../gql/graphql.ts';
import { getMemberText } from '../../language/member-texts.ts';
import { formatLocalDateTime, formatLocalDateTimeRange } from '../../language/page-dates.ts';
import type { MyBooking } from './queries.ts';

export function CancelBooking({ booking, onClose }: { booking: MyBooking; onClose: () => void }) {
  const { id, resource, location, startsAt, endsAt } = booking;
  const now = useNow(1);
  const [scope, setScope] = useState<SeriesScope>('THIS');
  const cancel = useCancelBooking(() => {
    notifySuccess(getMemberText('cancel.done'));
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
        label={getMemberText('cancel.whichBookings')}
        booking={booking}
        value={scope}
        onChange={setScope}
      />
      {scope !== 'THIS' && (
        <Text size="sm">
          {getMemberText('cancel.otherBookings', { hours: resource.freeCancellationHours })}
        </Text>
      )}
      <DialogActions
        label={getMemberText('cancel.action')}
        cancelLabel={getMemberText('cancel.keep')}
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
  if (freeCancellationUntil === null) return getMemberText('cancel.notApproved');
  const deadline = new Date(freeCancellationUntil);
  const time = formatLocalDateTime(deadline, booking.location.timeZone);
  if (now <= deadline) return getMemberText('cancel.freeUntil', { time });
  const { price } = booking;
  return price.amount > 0
    ? getMemberText('cancel.late', { time, money: formatMoney(price) })
    : getMemberText('cancel.lateWithoutPrice', { time });
}
