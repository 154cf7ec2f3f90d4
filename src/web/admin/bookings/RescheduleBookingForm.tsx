import { useForm } from '@mantine/form';
import { useRef } from 'react';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { toApiError } from '../../api/errors.ts';
import { notifySuccess } from '../../components/notify.ts';
import type { SeriesScope } from '../../gql/graphql.ts';
import { EditForm } from '../EditForm.tsx';
import { MoveTargetField, SeriesScopeField, TimeFields } from './BookingFields.tsx';
import { BookingPreviewCard } from './BookingPreview.tsx';
import { isSameSlot } from './booking-labels.ts';
import { useRescheduleEvaluation } from './booking-preview.ts';
import { findEndProblem, findStartProblem, toBookingTimes, toTimeSpan } from './booking-times.ts';
import { useRescheduleBooking } from './mutations.ts';
import type { BookingDetails } from './queries.ts';

interface Props {
  booking: BookingDetails;
  onBack: () => void;
  onDone: (day: string) => void;
}

/** Previews the new times and resource of a single booking. Several are checked on submit, as a preview would ignore that they move together. */
export function RescheduleBookingForm({ booking, onBack, onDone }: Props) {
  const { timeZone } = booking.location;
  const reschedule = useRescheduleBooking((startsAt) => {
    notifySuccess('Booking rescheduled.');
    onDone(toLocalDate(startsAt, timeZone));
  });
  const version = useRef(booking.updatedAt);
  const form = useForm({
    initialValues: {
      ...toBookingTimes(booking, timeZone),
      resourceId: booking.resource.id,
      scope: 'THIS' as SeriesScope,
    },
    validate: {
      from: (_, times) => findStartProblem(times, timeZone),
      to: (_, times) => findEndProblem(times, timeZone),
    },
    onValuesChange: () => reschedule.reset(),
  });
  const span = toTimeSpan(form.values, timeZone);
  // The other bookings of a series keep their resource unless another one is chosen.
  const toTarget = (resourceId: string) =>
    resourceId === booking.resource.id ? {} : { resourceId };
  const target = toTarget(form.values.resourceId);
  const isChanged = span !== null && (!isSameSlot(span, booking) || 'resourceId' in target);
  const needsPreview = isChanged && form.values.scope === 'THIS';
  const { preview, error, isCurrent } = useRescheduleEvaluation(
    needsPreview ? { id: booking.id, ...target, ...span } : null,
  );
  const hasViolations = preview !== null && !preview.allowed;
  const isBlocked = hasViolations && preview.reasons.some(({ overridable }) => !overridable);
  const override = (hasViolations && !isBlocked) || canOverrideConflicts(reschedule.error);
  return (
    <EditForm
      row={booking}
      form={{ acceptVersion: (updatedAt) => (version.current = updatedAt) }}
      effect="Saving them moves the booking to the time that you chose."
      label={override ? 'Reschedule anyway' : 'Reschedule'}
      onSubmit={form.onSubmit(({ scope, resourceId, ...times }) => {
        const span = toTimeSpan(times, timeZone);
        if (span)
          reschedule.mutate({
            id: booking.id,
            ...toTarget(resourceId),
            ...span,
            scope,
            override,
            ifUpdatedAt: version.current,
          });
      })}
      mutation={{ error: reschedule.error ?? error, isPending: reschedule.isPending }}
      cancelLabel="Back"
      color={override ? 'red' : undefined}
      disabled={isBlocked || (override && preview !== null && !isCurrent)}
      onCancel={onBack}
    >
      <MoveTargetField
        booking={booking}
        value={form.values.resourceId}
        onChange={({ id }) => form.setFieldValue('resourceId', id)}
      />
      <TimeFields
        times={form.values}
        errors={form.errors}
        timeZone={timeZone}
        onChange={(times) => form.setValues(times)}
      />
      <SeriesScopeField
        label="Apply to (each booking moves by the same amount)"
        booking={booking}
        value={form.values.scope}
        onChange={(scope) => form.setFieldValue('scope', scope)}
      />
      {preview && (
        <BookingPreviewCard
          preview={{
            ...preview,
            status: booking.status,
            alternatives: preview.alternatives.filter(
              (slot) => 'resourceId' in target || !isSameSlot(slot, booking),
            ),
          }}
          isBookerKnown
          isCurrent={isCurrent}
          timeZone={timeZone}
          onSelect={(slot) => form.setValues(toBookingTimes(slot, timeZone))}
        />
      )}
    </EditForm>
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
