import { Radio, Stack, Text } from '@mantine/core';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import type { FieldViews } from '../../components/input-values.ts';
import { notifySuccess } from '../../components/notify.ts';
import type { CreateMemberInput, UpdateMemberInput } from '../../gql/graphql.ts';
import { BILLING_VIEWS, BillingFields } from '../customers/BillingFields.tsx';
import { EditForm } from '../EditForm.tsx';
import { LoadingTeamSelect } from '../teams/TeamSelect.tsx';
import { MEMBER_STATUS_OPTIONS } from './MembersTable.tsx';
import { type Member, NO_MAIL_SERVER, useEmailDelivery, useSaveMember } from './queries.ts';

/** The service returns the current address until the new one is confirmed. */
const formatSavedMessage = ({ name, email }: Member, enteredEmail: string) =>
  enteredEmail.toLowerCase() === email
    ? `${name} saved.`
    : `${name} saved. A confirmation link was sent to the new address.`;

const VIEWS: FieldViews<CreateMemberInput & Omit<UpdateMemberInput, 'id'>> = {
  name: { label: 'Name', missing: 'Enter a name' },
  email: {
    label: 'Email address',
    type: 'email',
    missing: 'Enter a full email address, such as ben@example.org',
  },
  phone: { label: 'Phone', type: 'tel' },
  company: { label: 'Company' },
  ...BILLING_VIEWS,
  teamId: { label: 'Team', placeholder: 'None' },
  status: { label: 'Status' },
  sendWelcomeEmail: { label: 'Send a welcome email' },
};

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
  const form = useInputForm(member ? 'UpdateMemberInput' : 'CreateMemberInput', VIEWS, {
    row: { ...member, teamId: member?.team?.id, sendWelcomeEmail: true },
  });
  const delivery = useEmailDelivery(member === undefined).data;
  const canWelcome = delivery?.hasMailServer && delivery.welcomesMembers;
  const submit = form.onSubmit((values) =>
    save.mutate(
      member
        ? { update: { id: member.id, ...form.toChanges(values) } }
        : {
            create: {
              ...form.toInput(values),
              ...(!canWelcome && { sendWelcomeEmail: false }),
            },
          },
    ),
  );
  return (
    <EditForm
      row={member}
      form={form}
      label={member ? 'Save member' : 'Add member'}
      onSubmit={submit}
      mutation={save}
      onCancel={onClose}
    >
      <InputField form={form} name="name" isFirst />
      <InputField
        form={form}
        name="email"
        description={
          member ? 'For sign-in links. A new address must be confirmed.' : 'For sign-in links'
        }
      />
      <InputField form={form} name="phone" />
      <InputField form={form} name="company" />
      <BillingFields form={form} />
      <LoadingTeamSelect {...form.getFieldProps('teamId')} />
      {!member && canWelcome && (
        <InputField
          form={form}
          name="sendWelcomeEmail"
          description="It says how to sign in and links to the sign-in page."
        />
      )}
      {!member && delivery && !canWelcome && (
        <Text size="sm" c="dimmed">
          {delivery.hasMailServer
            ? 'The welcome email is switched off under Email templates, so the member gets none.'
            : NO_MAIL_SERVER}
        </Text>
      )}
      {member && (
        <Radio.Group {...form.getFieldProps('status')}>
          <Stack gap="xs" mt="xs">
            {MEMBER_STATUS_OPTIONS.map(({ value, label, description }) => (
              <Radio key={value} value={value} label={label} description={description} />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </EditForm>
  );
}
