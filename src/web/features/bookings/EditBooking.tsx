import { Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SeriesScope } from '../../gql/graphql.ts';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { useEditBooking } from './changes.ts';
import type { BookingDetails } from './queries.ts';
import { SeriesScopeField } from './SeriesScopeField.tsx';

export function EditBooking({ booking, onDone }: { booking: BookingDetails; onDone: () => void }) {
  const edit = useEditBooking(() => {
    notifyDone('The booking is saved.');
    onDone();
  });
  const form = useForm({
    initialValues: {
      title: booking.title ?? '',
      notes: booking.notes ?? '',
      scope: 'THIS' as SeriesScope,
    },
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ title, notes, scope }) =>
        edit.mutate({
          id: booking.id,
          title: title.trim() || null,
          notes: notes.trim() || null,
          scope,
        }),
      )}
    >
      <Stack>
        <FormFailure error={edit.error} />
        <TextInput
          label="Title"
          description="Displays at the door may show it"
          maxLength={200}
          data-autofocus
          {...form.getInputProps('title')}
        />
        <Textarea
          label="Notes"
          autosize
          minRows={2}
          maxRows={8}
          maxLength={2000}
          {...form.getInputProps('notes')}
        />
        <SeriesScopeField
          label="For which bookings?"
          booking={booking}
          value={form.values.scope}
          onChange={(scope) => form.setFieldValue('scope', scope)}
        />
      </Stack>
      <DialogActions label="Save" cancelLabel="Back" onCancel={onDone} pending={edit.isPending} />
    </form>
  );
}
