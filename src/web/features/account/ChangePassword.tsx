import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Panel } from '../../ui/Panel.tsx';
import { useChangePassword } from './queries.ts';

const VISIBILITY = { 'aria-label': 'Show the password' };

export function ChangePassword() {
  const form = useForm({
    initialValues: { current: '', next: '' },
    validate: {
      current: isNotEmpty('Type your current password'),
      next: isNotEmpty('Choose a new password'),
    },
  });
  const change = useChangePassword(() => {
    form.reset();
    notifyDone('Your password is changed, and you are signed out everywhere else.');
  });
  return (
    <Panel title="Password" description="Changing it signs you out everywhere else.">
      <form noValidate onSubmit={form.onSubmit((values) => change.mutate(values))}>
        <Stack maw={420}>
          <FormFailure error={change.error} />
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            visibilityToggleButtonProps={VISIBILITY}
            {...form.getInputProps('current')}
          />
          <PasswordInput
            label="New password"
            description="At least 12 characters. A few unrelated words do well."
            autoComplete="new-password"
            visibilityToggleButtonProps={VISIBILITY}
            {...form.getInputProps('next')}
          />
          <Group>
            <Button type="submit" loading={change.isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
