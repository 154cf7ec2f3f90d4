import { Stack, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { type TeamChoice, useSaveTeam } from './queries.ts';

interface Props {
  /** The one to rename; without it, a new one is made. */
  team?: TeamChoice;
  onClose: () => void;
}

export function TeamForm({ team, onClose }: Props) {
  const save = useSaveTeam(onClose);
  const form = useForm({
    initialValues: { name: team?.name ?? '' },
    validate: { name: isNotEmpty('Give it a name') },
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ name }) => save.mutate({ id: team?.id, name: name.trim() }))}
    >
      <Stack>
        <FormFailure error={save.error} />
        <TextInput
          label="Name"
          placeholder="Studio Nord"
          maxLength={200}
          data-autofocus
          {...form.getInputProps('name')}
        />
      </Stack>
      <DialogActions
        label={team ? 'Rename team' : 'Create team'}
        onCancel={onClose}
        pending={save.isPending}
      />
    </form>
  );
}
