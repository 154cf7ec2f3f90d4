import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { dayAt } from '../../ui/wall-clock.ts';
import type { Location } from '../spaces/queries.ts';
import { BookingFields } from './BookingFields.tsx';
import {
  type BookingValues,
  inputOf,
  seriesOf,
  timesOf,
  validateBooking,
  valuesFor,
  type Wish,
} from './booking-form.ts';
import { useCreateBooking } from './create-booking.ts';
import type { BookableResource } from './day-queries.ts';
import { PreviewOfOne } from './PreviewOfOne.tsx';
import { PreviewOfSeries } from './PreviewOfSeries.tsx';
import { useVerdict } from './use-verdict.ts';

interface Props {
  location: Location;
  resources: BookableResource[];
  wish: Wish;
  onBooked: (day: string) => void;
  onClose: () => void;
}

/** What the service would say is shown while the form is filled in. */
export function NewBooking({ location, resources, wish, onBooked, onClose }: Props) {
  const { timeZone } = location;
  const form = useForm<BookingValues>({
    initialValues: valuesFor(wish),
    validate: validateBooking(timeZone),
  });
  const create = useCreateBooking(({ count, firstStart }) => {
    notifyDone(count === 1 ? 'The booking is made.' : `${count} bookings are made.`);
    if (firstStart) onBooked(dayAt(firstStart, timeZone));
    onClose();
  });
  const { values } = form;
  const verdict = useVerdict(values, timeZone);
  const submit = form.onSubmit((values) => {
    const input = inputOf(values, timeZone);
    if (input === null) return;
    const { override } = verdict;
    if (values.repeat === 'NONE') create.mutate({ one: { ...input, override } });
    else {
      const onConflict = override ? 'REJECT' : 'SKIP';
      create.mutate({ series: { ...seriesOf(input, values), override, onConflict } });
    }
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormFailure error={create.error} />
        <BookingFields form={form} resources={resources} />
        {verdict.one && (
          <PreviewOfOne
            preview={verdict.one}
            holder={holderKnown(values)}
            isCurrent={verdict.isCurrent}
            timeZone={timeZone}
            onTake={(slot) => form.setValues(timesOf(slot, timeZone))}
          />
        )}
        {verdict.series && (
          <PreviewOfSeries
            preview={verdict.series}
            isCurrent={verdict.isCurrent}
            timeZone={timeZone}
          />
        )}
        {!create.error && <FormFailure error={verdict.error} />}
      </Stack>
      <DialogActions
        label={verdict.label}
        color={verdict.override ? 'red' : undefined}
        disabled={verdict.isHopeless || (verdict.override && !verdict.isCurrent)}
        onCancel={onClose}
        pending={create.isPending}
      />
    </form>
  );
}

const holderKnown = ({ kind, member }: BookingValues) => kind === 'guest' || member !== null;
