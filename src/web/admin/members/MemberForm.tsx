import { Radio, Stack, TextInput } from '@mantine/core';
import { isEmail, isNotEmpty, useForm } from '@mantine/form';
import { DialogForm } from '../../components/Dialog.tsx';
import { notifySuccess } from '../../components/notify.ts';
import type { MemberStatus } from '../../gql/graphql.ts';
import { LoadingTeamSelect } from '../teams/TeamSelect.tsx';
import { MEMBER_STATUS_OPTIONS } from './MembersTable.tsx';
import { type Member, useSaveMember } from './queries.ts';

/** The service returns the current address until the new one is confirmed. */
const formatSavedMessage = ({ name, email }: Member, enteredEmail: string) =>
  enteredEmail.toLowerCase() === email
    ? `${name} saved.`
    : `${name} saved. A confirmation link was sent to the new address.`;

interface Props {
  /** The member to edit. Omit it to create one. */
  member?: Member;
  onSaved?: (member: Member) => void;
  onClose: () => void;
}

export function MemberForm({ member, onSaved, onClose }: Props) {
  const save = useSaveMember((saved) => {
    notifySuccess(formatSavedMessage(saved, form.values.email.trim()));
    onClose();
    onSaved?.(saved);
  });
  const form = useForm({
    initialValues: {
      name: member?.name ?? '',
      email: member?.email ?? '',
      phone: member?.phone ?? '',
      company: member?.company ?? '',
      teamId: member?.team?.id ?? null,
      status: member?.status ?? ('ACTIVE' as MemberStatus),
    },
    validate: {
      name: isNotEmpty('Enter a name'),
      email: isEmail('Enter a full email address, such as ben@example.org'),
    },
  });
  const submit = form.onSubmit(({ name, email, phone, company, teamId, status }) => {
    const input = {
      name: name.trim(),
      email: email.trim(),
      phone: phone.trim() || null,
      company: company.trim() || null,
      teamId,
    };
    if (member) save.mutate({ update: { id: member.id, ...input, status } });
    else save.mutate({ create: input });
  });
  return (
    <DialogForm
      label={member ? 'Save member' : 'Add member'}
      onSubmit={submit}
      mutation={save}
      onCancel={onClose}
    >
      <TextInput label="Name" maxLength={100} data-autofocus {...form.getInputProps('name')} />
      <TextInput
        type="email"
        label="Email address"
        description={
          member ? 'For sign-in links. A new address must be confirmed.' : 'For sign-in links'
        }
        maxLength={254}
        {...form.getInputProps('email')}
      />
      <TextInput
        type="tel"
        label="Phone (optional)"
        maxLength={50}
        {...form.getInputProps('phone')}
      />
      <TextInput label="Company (optional)" maxLength={200} {...form.getInputProps('company')} />
      <LoadingTeamSelect
        label="Team (optional)"
        value={form.values.teamId}
        onChange={(id) => form.setFieldValue('teamId', id)}
        placeholder="None"
      />
      {member && (
        <Radio.Group label="Status" {...form.getInputProps('status')}>
          <Stack gap="xs" mt="xs">
            {MEMBER_STATUS_OPTIONS.map(({ value, label, description }) => (
              <Radio key={value} value={value} label={label} description={description} />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </DialogForm>
  );
}
