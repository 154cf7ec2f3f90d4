import { Stack, Text, TextInput } from '@mantine/core';
import { isEmail, isNotEmpty, useForm } from '@mantine/form';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { notifyDone } from '../../ui/notify.ts';
import type { Admission } from './admission.ts';
import { useTransfer } from './changes.ts';

interface Props {
  one: Admission;
  secret: string;
  onClose: () => void;
}

export function GiveAway({ one, secret, onClose }: Props) {
  const transfer = useTransfer(secret, one.id, () => {
    notifyDone('It is theirs now. They get the new code by mail.');
    onClose();
  });
  const form = useForm({
    initialValues: { name: '', email: '' },
    validate: {
      name: isNotEmpty('Type their name'),
      email: (value) => isEmail('Type their e-mail address')(value.trim()),
    },
  });
  const submit = form.onSubmit(({ name, email }) =>
    transfer.mutate({ name: name.trim(), email: email.trim() }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormFailure error={transfer.error} />
        <Text size="sm">
          They get a new code by mail. The code <b>{one.code}</b> lets nobody in any more, on paper
          neither.
        </Text>
        <TextInput
          label="Their name"
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Their e-mail address"
          type="email"
          maxLength={254}
          {...form.getInputProps('email')}
        />
      </Stack>
      <DialogActions label="Give it away" onCancel={onClose} pending={transfer.isPending} />
    </form>
  );
}
