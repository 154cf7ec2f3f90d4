import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useCancelBooking } from '../../features/bookings/changes.ts';
import { SeriesScopeField } from '../../features/bookings/SeriesScopeField.tsx';
import type { SeriesScope } from '../../gql/graphql.ts';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { moneyWords } from '../../ui/money.ts';
import { notifyDone } from '../../ui/notify.ts';
import { exactMomentIn, exactSpanIn } from '../../ui/shown-twice.ts';
import { useNow } from '../../ui/use-now.ts';
import { movableUntil } from './deadline.ts';
import type { MyBooking } from './queries.ts';

export function CancelBooking({ booking, onClose }: { booking: MyBooking; onClose: () => void }) {
  const { id, resource, location, startsAt, endsAt } = booking;
  const now = useNow(1);
  const [scope, setScope] = useState<SeriesScope>('THIS');
  const cancel = useCancelBooking(() => {
    notifyDone('Cancelled.');
    onClose();
  });
  return (
    <Stack gap="sm">
      <FormFailure error={cancel.error} />
      <Text size="sm">
        <b>{resource.name}</b>, {exactSpanIn(startsAt, endsAt, location.timeZone)}
      </Text>
      <Text size="sm">{costWords(booking, now)}</Text>
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

function costWords(booking: MyBooking, now: Date): string {
  const until = movableUntil(booking);
  if (until === null) return 'It is not approved yet: cancelling costs nothing.';
  const moment = exactMomentIn(until, booking.location.timeZone);
  if (now <= until) return `Cancelling costs nothing until ${moment}.`;
  const late = `Cancelling was free until ${moment}.`;
  const { price } = booking;
  return price.amount > 0
    ? `${late} Now the full price of ${moneyWords(price)} stays due, and hours of your plan stay used.`
    : `${late} There is nothing to pay, but the hours that it took of your plan stay used.`;
}
