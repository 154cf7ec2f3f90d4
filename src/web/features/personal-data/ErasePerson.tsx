import { Alert, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { notifyDone } from '../../ui/notify.ts';
import {
  type PersonSearch,
  type PersonSummary,
  useErasePerson,
  usePersonSummary,
} from './queries.ts';
import { Remarks } from './Remarks.tsx';

interface Props {
  person: PersonSearch;
  confirmation: string;
  summary?: PersonSummary;
  onClose: () => void;
  onErased: (() => void) | undefined;
}

export function ErasePerson({ summary, ...props }: Props) {
  return summary ? <EraseForm {...props} summary={summary} /> : <WithSummary {...props} />;
}

function WithSummary(props: Omit<Props, 'summary'>) {
  const query = usePersonSummary(props.person);
  return <Loaded query={query}>{(summary) => <EraseForm {...props} summary={summary} />}</Loaded>;
}

function EraseForm(props: Props & { summary: PersonSummary }) {
  const { person, confirmation, summary, onClose, onErased } = props;
  const { openBookings, openMemberships } = summary;
  const hasOpenContracts = openBookings + openMemberships > 0;
  const erase = useErasePerson(() => {
    notifyDone('The person is erased.');
    onClose();
    onErased?.();
  });
  const form = useForm({
    initialValues: { typed: '', reason: '', endContracts: false },
    validate: {
      typed: (typed) =>
        typed.trim().toLowerCase() === confirmation.toLowerCase()
          ? null
          : `Type ${confirmation} to confirm`,
      endContracts: (isTicked) =>
        hasOpenContracts && !isTicked
          ? 'Tick this, or cancel the bookings and end the memberships yourself first'
          : null,
    },
  });
  const submit = form.onSubmit(({ reason, endContracts }) =>
    erase.mutate({ ...person, reason: reason.trim() || null, endContracts }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <FormFailure error={erase.error} />
        <Text size="sm">
          Names become “Deleted person”, addresses, accounts and mails are deleted. Orders,
          payments, bookings and visits stay for the books, without the person. Tickets for days to
          come stay valid. This cannot be undone: export the data first if you still need it.
        </Text>
        <Remarks summary={summary} />
        {hasOpenContracts && (
          <Alert color="orange" title="Still running">
            <Checkbox
              label={describeEnding(summary)}
              {...form.getInputProps('endContracts', { type: 'checkbox' })}
            />
          </Alert>
        )}
        <TextInput
          label="Reason (optional)"
          description="For the record, such as the date of the request. Leave out names."
          maxLength={500}
          {...form.getInputProps('reason')}
        />
        <TextInput
          label={`Type ${confirmation} to confirm`}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('typed')}
        />
      </Stack>
      <DialogActions
        label="Erase person"
        color="red"
        onCancel={onClose}
        pending={erase.isPending}
      />
    </form>
  );
}

const describeEnding = ({ openBookings, openMemberships }: PersonSummary) => {
  const parts = [
    ...(openBookings > 0
      ? [`cancel ${openBookings} coming booking${openBookings === 1 ? '' : 's'} without a fee`]
      : []),
    ...(openMemberships > 0 ? ['end the membership today'] : []),
  ];
  const words = parts.join(' and ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
