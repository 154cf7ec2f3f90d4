import { Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { dayWords } from '../../ui/place-words.ts';
import { isDay } from '../../ui/wall-clock.ts';
import { type Membership, useEndMembership } from './membership-queries.ts';

interface Props {
  membership: Membership;
  today: string;
  onClose: () => void;
}

export function EndMembership({ membership, today, onClose }: Props) {
  const end = useEndMembership(() => {
    notifyDone('The end of the membership is set.');
    onClose();
  });
  const { plan, startsOn } = membership;
  const form = useForm({
    initialValues: { endsOn: membership.endsOn ?? (today > startsOn ? today : startsOn) },
    validate: {
      endsOn: (day) => {
        if (!isDay(day)) return 'Choose the last day';
        return day < startsOn ? `Not before it begins, on ${dayWords(startsOn)}` : null;
      },
    },
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ endsOn }) => end.mutate({ id: membership.id, endsOn }))}
    >
      <Stack>
        <FormFailure error={end.error} />
        <Text size="sm">
          The plan <b>{plan.name}</b> holds to the end of this day. Bookings that were made by it
          stay, and cost what they cost.
        </Text>
        <TextInput type="date" label="Last day" data-autofocus {...form.getInputProps('endsOn')} />
      </Stack>
      <DialogActions label="Set the end" onCancel={onClose} pending={end.isPending} />
    </form>
  );
}
