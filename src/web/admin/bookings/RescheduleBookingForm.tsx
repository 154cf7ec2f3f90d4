import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { toApiError } from '../../api/errors.ts';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { toLocalDate } from '../../components/wall-clock.ts';
import type { SeriesScope } from '../../gql/graphql.ts';
import { BookingPreviewCard } from './BookingPreview.tsx';
import { toLocalTimes, toTimeSpan, validateStart } from './booking-form-values.ts';
import { isSameSlot } from './booking-labels.ts';
import { useRescheduleBooking } from './mutations.ts';
import type { BookingDetails } from './queries.ts';
import { SeriesScopeField } from './SeriesScopeField.tsx';
import { TimeFields } from './TimeFields.tsx';
import { useRescheduleEvaluation } from './use-booking-evaluation.ts';

interface Props {
  booking: BookingDetails;
  onBack: () => void;
  onDone: (day: string) => void;
}

/** Previews the move of one booking. The move of several is only checked when it is submitted, as they may overlap each other. */
export function RescheduleBookingForm({ booking, onBack, onDone }: Props) {
  const { timeZone } = booking.location;
  const move = useRescheduleBooking((startsAt) => {
    notifySuccess('Booking moved.');
    onDone(toLocalDate(startsAt, timeZone));
  });
  const form = useForm({
    initialValues: { ...toLocalTimes(booking, timeZone), scope: 'THIS' as SeriesScope },
    validate: {
      from: (_, times) => validateStart(times, timeZone),
      to: (_, times) =>
        toTimeSpan(times, timeZone) || validateStart(times, timeZone) ? null : 'Select an end time',
    },
    onValuesChange: () => move.reset(),
  });
  const span = toTimeSpan(form.values, timeZone);
  const needsPreview = span !== null && form.values.scope === 'THIS' && !isSameSlot(span, booking);
  const { preview, error, isCurrent } = useRescheduleEvaluation(
    needsPreview ? { id: booking.id, ...span } : null,
  );
  const hasViolations = preview !== null && !preview.allowed;
  const isBlocked = hasViolations && preview.reasons.some(({ overridable }) => !overridable);
  const override = (hasViolations && !isBlocked) || canOverrideConflicts(move.error);
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ scope, ...times }) => {
        const span = toTimeSpan(times, timeZone);
        if (span) move.mutate({ id: booking.id, ...span, scope, override });
      })}
    >
      <Stack>
        <TimeFields
          times={form.values}
          errors={form.errors}
          onChange={(times) => form.setValues(times)}
        />
        <SeriesScopeField
          label="Apply to (each booking moves by the same amount)"
          booking={booking}
          value={form.values.scope}
          onChange={(scope) => form.setFieldValue('scope', scope)}
        />
        <FormError error={move.error ?? error} />
        {preview && (
          <BookingPreviewCard
            preview={{
              ...preview,
              alternatives: preview.alternatives.filter((slot) => !isSameSlot(slot, booking)),
            }}
            holder
            isCurrent={isCurrent}
            timeZone={timeZone}
            onSelect={(slot) => form.setValues(toLocalTimes(slot, timeZone))}
          />
        )}
      </Stack>
      <DialogActions
        label={override ? 'Move anyway' : 'Move'}
        cancelLabel="Back"
        color={override ? 'red' : undefined}
        disabled={isBlocked || (override && preview !== null && !isCurrent)}
        onCancel={onBack}
        pending={move.isPending}
      />
    </form>
  );
}

interface SeriesConflictDetails {
  conflicts: { reasons: { overridable: boolean }[] }[];
}

/** Whether staff can override every conflict of a series. */
function canOverrideConflicts(error: Error | null): boolean {
  if (error === null) return false;
  const { conflicts = [] } = toApiError(error).details as Partial<SeriesConflictDetails>;
  const reasons = conflicts.flatMap(({ reasons }) => reasons);
  return reasons.length > 0 && reasons.every(({ overridable }) => overridable);
}
