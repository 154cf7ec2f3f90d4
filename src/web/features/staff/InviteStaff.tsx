import { Stack, TextInput } from '@mantine/core';
import { isEmail, isNotEmpty, useForm } from '@mantine/form';
import type { StaffRole } from '../../gql/graphql.ts';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { useInvite } from './queries.ts';
import { RoleField } from './RoleField.tsx';

export function InviteStaff({ onClose }: { onClose: () => void }) {
  const invite = useInvite(onClose);
  const form = useForm({
    initialValues: { name: '', email: '', role: 'FRONT_DESK' as StaffRole },
    validate: {
      name: isNotEmpty('Type the name'),
      email: isEmail('Type the whole address, such as mona@example.org'),
    },
    transformValues: ({ name, email, role }) => ({ name: name.trim(), email: email.trim(), role }),
  });
  return (
    <form noValidate onSubmit={form.onSubmit((input) => invite.mutate(input))}>
      <Stack>
        <FormFailure error={invite.error} />
        <TextInput label="Name" maxLength={200} data-autofocus {...form.getInputProps('name')} />
        <TextInput
          type="email"
          label="E-mail address"
          description="A link to choose a password goes there. It works once, and for three days."
          maxLength={254}
          {...form.getInputProps('email')}
        />
        <RoleField value={form.values.role} onChange={(role) => form.setFieldValue('role', role)} />
      </Stack>
      <DialogActions label="Send invitation" onCancel={onClose} pending={invite.isPending} />
    </form>
  );
}
