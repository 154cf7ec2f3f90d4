import { Alert, Button, Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { isDay } from '../../ui/wall-clock.ts';
import { affectedWords } from './closure-words.ts';
import { type Closure, useCreateClosure } from './location-queries.ts';

interface Props {
  locationId: string;
  today: string;
  onClose: () => void;
}

export function AddClosure({ locationId, today, onClose }: Props) {
  const [made, setMade] = useState<Closure>();
  const create = useCreateClosure((closure) => {
    notifyDone('The closure is added.');
    if (closure.bookingsAffected > 0) setMade(closure);
    else onClose();
  });
  const form = useForm({
    initialValues: { startsOn: today, endsOn: today, reason: '' },
    validate: {
      startsOn: (day) => (isDay(day) ? null : 'Choose a day'),
      endsOn: (day, { startsOn }) => {
        if (!isDay(day)) return 'Choose a day';
        return day < startsOn ? 'Not before the first day' : null;
      },
    },
  });
  if (made) return <StillBooked closure={made} onClose={onClose} />;
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ reason, ...days }) =>
        create.mutate({ locationId, ...days, reason: reason.trim() || null }),
      )}
    >
      <Stack>
        <FormFailure error={create.error} />
        <SimpleGrid cols={2}>
          <TextInput type="date" label="First day" {...form.getInputProps('startsOn')} />
          <TextInput type="date" label="Last day" {...form.getInputProps('endsOn')} />
        </SimpleGrid>
        <TextInput
          label="Reason (optional)"
          description="Told to those who want to book on these days"
          placeholder="Public holiday"
          maxLength={200}
          {...form.getInputProps('reason')}
        />
      </Stack>
      <DialogActions label="Add closure" onCancel={onClose} pending={create.isPending} />
    </form>
  );
}

const StillBooked = ({ closure, onClose }: { closure: Closure; onClose: () => void }) => (
  <Stack>
    <Alert color="orange" role="alert" title="There are bookings in it">
      {affectedWords(closure)}
    </Alert>
    <Group justify="flex-end">
      <Button onClick={onClose}>Done</Button>
    </Group>
  </Stack>
);
