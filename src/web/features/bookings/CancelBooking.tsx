import { Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SeriesScope } from '../../gql/graphql.ts';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { moneyWords } from '../../ui/money.ts';
import { notifyDone } from '../../ui/notify.ts';
import { clockIn, dayIn } from '../../ui/place-words.ts';
import { useNow } from '../../ui/use-now.ts';
import { freeUntil } from './booking-words.ts';
import { useCancelBooking } from './changes.ts';
import type { BookingDetails } from './queries.ts';
import { SeriesScopeField } from './SeriesScopeField.tsx';

interface Props {
  booking: BookingDetails;
  onBack: () => void;
  onDone: () => void;
}

/** Says what it costs before it is done. */
export function CancelBooking({ booking, onBack, onDone }: Props) {
  const now = useNow(15);
  const cancel = useCancelBooking(() => {
    notifyDone('The booking is cancelled.');
    onDone();
  });
  const form = useForm({
    initialValues: { reason: '', waiveFee: false, scope: 'THIS' as SeriesScope },
  });
  const { scope, waiveFee } = form.values;
  const isLate = booking.status === 'CONFIRMED' && now > freeUntil(booking);
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ reason, ...values }) =>
        cancel.mutate({ id: booking.id, reason: reason.trim() || null, ...values }),
      )}
    >
      <Stack>
        <FormFailure error={cancel.error} />
        <Text size="sm">{costWords(booking, isLate && !waiveFee, waiveFee)}</Text>
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

function costWords(booking: BookingDetails, costs: boolean, isWaived: boolean): string {
  const { status, price, location } = booking;
  const until = freeUntil(booking);
  const moment = `${dayIn(until, location.timeZone)}, ${clockIn(until, location.timeZone)}`;
  if (status === 'PENDING') return 'It waits for approval: declining it costs nothing.';
  if (costs) return `It was free until ${moment}. Now ${moneyWords(price)} stays due.`;
  if (isWaived) return 'The fee is waived: nothing stays due.';
  return `It costs nothing: cancelling is free until ${moment}.`;
}
