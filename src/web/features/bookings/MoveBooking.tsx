import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SeriesScope } from '../../gql/graphql.ts';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { dayAt } from '../../ui/wall-clock.ts';
import { problemWithStart, spanOf, timesOf } from './booking-form.ts';
import { isWhereItIs } from './booking-words.ts';
import { useMoveBooking } from './changes.ts';
import { PreviewOfOne } from './PreviewOfOne.tsx';
import type { BookingDetails } from './queries.ts';
import { isOverridable } from './refusal.ts';
import { SeriesScopeField } from './SeriesScopeField.tsx';
import { TimeFields } from './TimeFields.tsx';
import { useMoveVerdict } from './use-move-verdict.ts';

interface Props {
  booking: BookingDetails;
  onBack: () => void;
  onDone: (day: string) => void;
}

/** Of one booking the verdict is shown before; of several, which may be in each other's way, the attempt is it. */
export function MoveBooking({ booking, onBack, onDone }: Props) {
  const { timeZone } = booking.location;
  const move = useMoveBooking((startsAt) => {
    notifyDone('The booking is moved.');
    onDone(dayAt(startsAt, timeZone));
  });
  const form = useForm({
    initialValues: { ...timesOf(booking, timeZone), scope: 'THIS' as SeriesScope },
    validate: {
      from: (_, times) => problemWithStart(times, timeZone),
      to: (_, times) =>
        spanOf(times, timeZone) || problemWithStart(times, timeZone) ? null : 'Choose the end',
    },
    onValuesChange: () => move.reset(),
  });
  const span = spanOf(form.values, timeZone);
  const asks = span !== null && form.values.scope === 'THIS' && !isWhereItIs(span, booking);
  const { preview, error, isCurrent } = useMoveVerdict(asks ? { id: booking.id, ...span } : null);
  const isRefused = preview !== null && !preview.allowed;
  const isHopeless = isRefused && preview.reasons.some(({ overridable }) => !overridable);
  const override = (isRefused && !isHopeless) || isOverridable(move.error);
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ scope, ...times }) => {
        const span = spanOf(times, timeZone);
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
          label="Which bookings? The others move by as much."
          booking={booking}
          value={form.values.scope}
          onChange={(scope) => form.setFieldValue('scope', scope)}
        />
        <FormFailure error={move.error ?? error} />
        {preview && (
          <PreviewOfOne
            preview={{
              ...preview,
              alternatives: preview.alternatives.filter((slot) => !isWhereItIs(slot, booking)),
            }}
            holder
            isCurrent={isCurrent}
            timeZone={timeZone}
            onTake={(slot) => form.setValues(timesOf(slot, timeZone))}
          />
        )}
      </Stack>
      <DialogActions
        label={override ? 'Move anyway' : 'Move'}
        cancelLabel="Back"
        color={override ? 'red' : undefined}
        disabled={isHopeless || (override && preview !== null && !isCurrent)}
        onCancel={onBack}
        pending={move.isPending}
      />
    </form>
  );
}
