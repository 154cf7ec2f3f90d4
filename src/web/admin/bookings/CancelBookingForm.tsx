import { Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { formatLocalDate, formatLocalTime } from '../../components/format-local-time.ts';
import { formatMoney } from '../../components/money.ts';
import { notifySuccess } from '../../components/notify.ts';
import { useNow } from '../../components/use-now.ts';
import type { SeriesScope } from '../../gql/graphql.ts';
import { toFreeCancellationDeadline } from './booking-labels.ts';
import { useCancelBooking } from './mutations.ts';
import type { BookingDetails } from './queries.ts';
import { SeriesScopeField } from './SeriesScopeField.tsx';

interface Props {
  booking: BookingDetails;
  onBack: () => void;
  onDone: () => void;
}

/** Shows the cancellation fee before staff confirm. */
export function CancelBookingForm({ booking, onBack, onDone }: Props) {
  const now = useNow(15);
  const cancel = useCancelBooking(() => {
    notifySuccess('Booking cancelled.');
    onDone();
  });
  const form = useForm({
    initialValues: { reason: '', waiveFee: false, scope: 'THIS' as SeriesScope },
  });
  const { scope, waiveFee } = form.values;
  const isLate = booking.status === 'CONFIRMED' && now > toFreeCancellationDeadline(booking);
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ reason, ...values }) =>
        cancel.mutate({ id: booking.id, reason: reason.trim() || null, ...values }),
      )}
    >
      <Stack>
        <FormError error={cancel.error} />
        <Text size="sm">{formatCancellationCost(booking, isLate && !waiveFee, waiveFee)}</Text>
        {scope !== 'THIS' && (
          <Text size="sm">Each booking in the series has its own deadline.</Text>
        )}
        <SeriesScopeField
          label="Apply to"
          booking={booking}
          value={scope}
          onChange={(scope) => form.setFieldValue('scope', scope)}
        />
        <TextInput
          label="Reason (optional)"
          maxLength={500}
          data-autofocus
          {...form.getInputProps('reason')}
        />
        {(isLate || scope !== 'THIS') && (
          <Checkbox
            label="Waive the fee"
            description="Charges nothing and returns plan hours"
            {...form.getInputProps('waiveFee', { type: 'checkbox' })}
          />
        )}
      </Stack>
      <DialogActions
        label={`${booking.status === 'PENDING' ? 'Decline' : 'Cancel'} ${scope === 'THIS' ? 'booking' : 'bookings'}`}
        cancelLabel="Back"
        color="red"
        onCancel={onBack}
        pending={cancel.isPending}
      />
    </form>
  );
}

function formatCancellationCost(
  booking: BookingDetails,
  costs: boolean,
  isWaived: boolean,
): string {
  const { status, price, location } = booking;
  const until = toFreeCancellationDeadline(booking);
  const moment = `${formatLocalDate(until, location.timeZone)}, ${formatLocalTime(until, location.timeZone)}`;
  if (status === 'PENDING') return 'This booking needs approval. Declining it is free of charge.';
  if (costs) return `Free cancellation ended on ${moment}. The fee is ${formatMoney(price)}.`;
  if (isWaived) return 'The fee is waived.';
  return `Cancellation is free until ${moment}.`;
}
