import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SeriesScope } from '../../gql/graphql.ts';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { dayAt } from '../../ui/wall-clock.ts';
import { Alternatives } from './Alternatives.tsx';
import { problemWithStart, spanOf, timesOf } from './booking-form.ts';
import { useMoveBooking } from './changes.ts';
import type { BookingDetails } from './queries.ts';
import { Reasons } from './Reasons.tsx';
import { objectionsIn } from './refusal.ts';
import { SeriesScopeField } from './SeriesScopeField.tsx';
import { TimeFields } from './TimeFields.tsx';

interface Props {
  booking: BookingDetails;
  onBack: () => void;
  onDone: (day: string) => void;
}

/**
 * The attempt itself is the preview: it has the new slot or changes nothing, and its refusal knows, as no preview of a
 * new booking does, that the old slot makes room.
 */
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
  const { reasons, alternatives, override } = objectionsIn(move.error);
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
          seriesId={booking.seriesId}
          value={form.values.scope}
          onChange={(scope) => form.setFieldValue('scope', scope)}
        />
        {reasons.length > 0 ? <Reasons reasons={reasons} /> : <FormFailure error={move.error} />}
        <Alternatives
          slots={alternatives}
          timeZone={timeZone}
          onTake={(slot) => form.setValues(timesOf(slot, timeZone))}
        />
      </Stack>
      <DialogActions
        label={override ? 'Move anyway' : 'Move'}
        cancelLabel="Back"
        color={override ? 'red' : undefined}
        onCancel={onBack}
        pending={move.isPending}
      />
    </form>
  );
}
