import { Checkbox, Text } from '@mantine/core';
import { formatLocalDateTime } from '../../../core/time/format.ts';
import { useNow } from '../../components/browser-time.tsx';
import { DialogForm } from '../../components/Dialog.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import type { FieldViews } from '../../components/input-values.ts';
import { formatMoney } from '../../components/money.ts';
import { notifySuccess } from '../../components/notify.ts';
import type { CancelBookingMutationVariables, SeriesScope } from '../../gql/graphql.ts';
import { SeriesScopeField } from './BookingFields.tsx';
import { useCancelBooking } from './mutations.ts';
import type { BookingDetails } from './queries.ts';

interface Props {
  booking: BookingDetails;
  onBack: () => void;
  onDone: () => void;
}

const VIEWS: FieldViews<Pick<CancelBookingMutationVariables, 'reason' | 'waiveFee'>> = {
  reason: { label: 'Reason' },
  waiveFee: {
    label: 'Waive the fee',
    description: 'Charges no fee and returns the plan hours',
  },
};

/** Shows the cancellation fee before staff confirm. */
export function CancelBookingForm({ booking, onBack, onDone }: Props) {
  const now = useNow(15);
  const cancel = useCancelBooking(() => {
    notifySuccess('Booking cancelled.');
    onDone();
  });
  const form = useInputForm('CancelBookingInput', VIEWS, { own: { scope: 'THIS' as SeriesScope } });
  const { scope, waiveFee } = form.values;
  const { freeCancellationUntil: deadline } = booking.allowedActions;
  const isLate = deadline !== null && now > new Date(deadline);
  return (
    <DialogForm
      label={`${booking.status === 'PENDING' ? 'Decline' : 'Cancel'} ${scope === 'THIS' ? 'booking' : 'bookings'}`}
      onSubmit={form.onSubmit((values) =>
        cancel.mutate({ id: booking.id, scope, ...form.toInput(values) }),
      )}
      mutation={cancel}
      cancelLabel="Back"
      color="red"
      onCancel={onBack}
    >
      <Text size="sm">{formatCancellationCost(booking, isLate && !waiveFee, waiveFee)}</Text>
      {scope !== 'THIS' && (
        <Text size="sm">Each approved booking in the series has its own deadline.</Text>
      )}
      <SeriesScopeField
        label="Apply to"
        booking={booking}
        value={scope}
        onChange={(scope) => form.setFieldValue('scope', scope)}
      />
      <InputField form={form} name="reason" isFirst />
      {(isLate || scope !== 'THIS') && <Checkbox {...form.getFieldProps('waiveFee')} />}
    </DialogForm>
  );
}

function formatCancellationCost(
  booking: BookingDetails,
  isCharged: boolean,
  isWaived: boolean,
): string {
  const { allowedActions, price, location } = booking;
  if (allowedActions.freeCancellationUntil === null)
    return 'This booking needs approval. Declining it costs nothing.';
  const deadlineAt = new Date(allowedActions.freeCancellationUntil);
  const deadline = formatLocalDateTime(deadlineAt, location.timeZone);
  if (isCharged) return `Free cancellation ended on ${deadline}. The fee is ${formatMoney(price)}.`;
  if (isWaived) return 'The fee is waived.';
  return `Cancellation is free until ${deadline}.`;
}
