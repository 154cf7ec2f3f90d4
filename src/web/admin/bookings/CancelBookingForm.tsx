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

/** Says what it costs before it is done. */
export function CancelBookingForm({ booking, onBack, onDone }: Props) {
  const now = useNow(15);
  const cancel = useCancelBooking(() => {
    notifySuccess('The booking is cancelled.');
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
          <Text size="sm">For the others of the series, each has a deadline of its own.</Text>
        )}
        <SeriesScopeField
          label="Which bookings?"
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
            description="Nothing stays due, and hours of a plan are given back"
            {...form.getInputProps('waiveFee', { type: 'checkbox' })}
          />
        )}
      </Stack>
      <DialogActions
        label={`${booking.status === 'PENDING' ? 'Decline' : 'Cancel'} ${scope === 'THIS' ? 'it' : 'them'}`}
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
  if (status === 'PENDING') return 'It waits for approval: declining it costs nothing.';
  if (costs) return `It was free until ${moment}. Now ${formatMoney(price)} stays due.`;
  if (isWaived) return 'The fee is waived: nothing stays due.';
  return `It costs nothing: cancelling is free until ${moment}.`;
}
