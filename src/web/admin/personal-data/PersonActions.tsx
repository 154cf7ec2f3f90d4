import { Alert, Button, Checkbox, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from 'react-router';
import { Dialog, DialogActions, useDialog } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { notifyFailure, notifySuccess } from '../../components/notify.ts';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { SectionCard } from '../../components/SectionCard.tsx';
import { formatTableName } from './labels.ts';
import {
  type PersonSearch,
  type PersonSummary,
  useErasePerson,
  useExportPerson,
  usePersonSummary,
} from './queries.ts';

/** Shown on the member page, for owners and managers. */
export function MemberPersonalData({ member }: { member: { id: string; email: string } }) {
  const navigate = useNavigate();
  return (
    <SectionCard
      title="Personal data"
      description="Export everything stored about this member, or erase it. Accounting records are kept."
    >
      <Group>
        <PersonActions
          person={{ memberId: member.id }}
          confirmation={member.email}
          onErased={() => navigate('/members')}
        />
      </Group>
    </SectionCard>
  );
}

interface PersonActionsProps {
  person: PersonSearch;
  /** The text to type to confirm the erasure. */
  confirmation: string;
  /** Loads the export if it is not loaded yet. */
  summary?: PersonSummary;
  onErased?: () => void;
}

export function PersonActions({ person, confirmation, summary, onErased }: PersonActionsProps) {
  const erasing = useDialog();
  const exporting = useExportPerson((file) => {
    downloadFile(file.fileName, file.json);
    notifySuccess(`${file.fileName} downloaded.`);
  });
  return (
    <>
      <Button
        variant="default"
        loading={exporting.isPending}
        onClick={() =>
          exporting.mutate(person, {
            onError: (error) => notifyFailure('Could not export the data', error),
          })
        }
      >
        Export data
      </Button>
      <Button variant="light" color="red" onClick={() => erasing.open(true)}>
        Erase person…
      </Button>
      <Dialog state={erasing} title="Erase person?" size="lg">
        {() => (
          <ErasePerson
            person={person}
            confirmation={confirmation}
            {...(summary && { summary })}
            onClose={erasing.close}
            onErased={onErased}
          />
        )}
      </Dialog>
    </>
  );
}

interface ErasePersonProps {
  person: PersonSearch;
  confirmation: string;
  summary?: PersonSummary;
  onClose: () => void;
  onErased: (() => void) | undefined;
}

function ErasePerson({ summary, ...props }: ErasePersonProps) {
  return summary ? <EraseForm {...props} summary={summary} /> : <EraseFormLoader {...props} />;
}

function EraseFormLoader(props: Omit<ErasePersonProps, 'summary'>) {
  const query = usePersonSummary(props.person);
  return (
    <QueryBoundary query={query}>
      {(summary) => <EraseForm {...props} summary={summary} />}
    </QueryBoundary>
  );
}

function EraseForm(props: ErasePersonProps & { summary: PersonSummary }) {
  const { person, confirmation, summary, onClose, onErased } = props;
  const { openBookings, openMemberships } = summary;
  const hasOpenContracts = openBookings + openMemberships > 0;
  const erase = useErasePerson(() => {
    notifySuccess('Person erased.');
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
          ? 'Select this, or first cancel the bookings and end the memberships yourself'
          : null,
    },
  });
  const submit = form.onSubmit(({ reason, endContracts }) =>
    erase.mutate({ ...person, reason: reason.trim() || null, endContracts }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <FormError error={erase.error} />
        <Text size="sm">
          Names become “Deleted person”. Addresses, accounts and emails are deleted. Orders,
          payments, bookings and visits stay anonymously for accounting. Future tickets stay valid.
          This cannot be undone, so export the data first if you still need it.
        </Text>
        <ErasureRemarks summary={summary} />
        {hasOpenContracts && (
          <Alert color="orange" title="Active bookings and memberships">
            <Checkbox
              label={formatContractsToEnd(summary)}
              {...form.getInputProps('endContracts', { type: 'checkbox' })}
            />
          </Alert>
        )}
        <TextInput
          label="Reason (optional)"
          description="Such as the date of the request. Do not include names."
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

const formatContractsToEnd = ({ openBookings, openMemberships }: PersonSummary) => {
  const parts = [
    ...(openBookings > 0
      ? [`cancel ${openBookings} upcoming booking${openBookings === 1 ? '' : 's'} without a fee`]
      : []),
    ...(openMemberships > 0 ? ['end the membership today'] : []),
  ];
  const words = parts.join(' and ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Data that erasing does not cover and staff must review. */
export function ErasureRemarks({
  summary,
}: {
  summary: Pick<PersonSummary, 'otherEmails' | 'mentions'>;
}) {
  const { otherEmails, mentions } = summary;
  return (
    <>
      {otherEmails.length > 0 && (
        <Alert color="yellow" title="Other addresses">
          Orders of this member or an address change also contain {otherEmails.join(', ')}. Search
          for these addresses too.
        </Alert>
      )}
      {mentions.length > 0 && (
        <Alert color="yellow" title="Free text that mentions the person">
          Erasing does not change these texts. Edit them yourself.
          <List size="sm" mt={4}>
            {mentions.map(({ table, id }) => (
              <List.Item key={id}>
                {formatTableName(table)} ({id})
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  );
}

/** Downloads a text as a file. */
function downloadFile(name: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
