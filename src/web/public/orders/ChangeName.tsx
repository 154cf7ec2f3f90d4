import { Stack, Text, TextInput } from '@mantine/core';
import { isEmail, isNotEmpty, useForm } from '@mantine/form';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { notifyDone } from '../../ui/notify.ts';
import type { Admission } from './admission.ts';
import { useRename } from './changes.ts';

interface Props {
  one: Admission;
  secret: string;
  onClose: () => void;
}

export function ChangeName({ one, secret, onClose }: Props) {
  const rename = useRename(secret, one.id, () => {
    notifyDone('The name is changed.');
    onClose();
  });
  const form = useForm({
    initialValues: { name: one.holder.name, email: one.holder.email ?? '' },
    validate: {
      name: isNotEmpty('Type the name'),
      email: (value) => (value.trim() ? isEmail('Type the whole address')(value.trim()) : null),
    },
  });
  const submit = form.onSubmit(({ name, email }) =>
    rename.mutate({ name: name.trim(), email: email.trim() || null }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormFailure error={rename.error} />
        <Text size="sm">The code stays the same.</Text>
        <TextInput label="Name" maxLength={100} data-autofocus {...form.getInputProps('name')} />
        <TextInput
          label="E-mail address (optional)"
          type="email"
          maxLength={254}
          {...form.getInputProps('email')}
        />
      </Stack>
      <DialogActions label="Change name" onCancel={onClose} pending={rename.isPending} />
    </form>
  );
}
