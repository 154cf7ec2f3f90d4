import { Alert, Button, Checkbox, Group, List, Text, TextInput } from '@mantine/core';
import { useNavigate } from 'react-router';
import { Dialog, DialogForm, useDialog } from '../../components/Dialog.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import type { FieldViews } from '../../components/input-values.ts';
import { notifyFailure, notifySuccess, notifyWarning } from '../../components/notify.ts';
import { SectionCard } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { capitalize } from '../../components/text.ts';
import type { ErasePersonalDataInput } from '../../gql/graphql.ts';
import { formatDisputedOrders } from './disputed-orders.ts';
import {
  type PersonSearch,
  type PersonSummary,
  useErasePerson,
  useExportPerson,
  usePersonSummary,
} from './queries.ts';

/** On the page of a member, for owners and managers. */
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
  /** Loaded when it is needed, if omitted. */
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

const VIEWS: FieldViews<Pick<ErasePersonalDataInput, 'reason'>> = {
  reason: {
    label: 'Reason',
    description: 'Such as the date of the request. Do not include names.',
  },
};

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
  const erase = useErasePerson(({ disputedOrders }) => {
    notifySuccess('Person erased.');
    if (disputedOrders.length > 0) notifyWarning(formatDisputedOrders(disputedOrders));
    onClose();
    onErased?.();
  });
  const form = useInputForm('ErasePersonalDataInput', VIEWS, {
    own: { typed: '', endContracts: false },
    validate: {
      typed: (typed) =>
        typed.trim().toLowerCase() === confirmation.toLowerCase()
          ? null
          : `Type ${confirmation} to confirm`,
      endContracts: (isSelected) =>
        hasOpenContracts && !isSelected
          ? 'Select this, or first cancel the bookings and end the memberships yourself'
          : null,
    },
  });
  const submit = form.onSubmit((values) =>
    erase.mutate({ ...person, ...form.toInput(values), endContracts: values.endContracts }),
  );
  return (
    <DialogForm
      label="Erase person"
      onSubmit={submit}
      mutation={erase}
      color="red"
      onCancel={onClose}
    >
      <Text size="sm">
        Names become “Deleted person”. Addresses, accounts and emails are deleted. Orders, payments,
        bookings and visits are kept without names for accounting. Future tickets stay valid. This
        cannot be undone, so export the data first if you still need it.
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
      <InputField form={form} name="reason" />
      <TextInput
        label={`Type ${confirmation} to confirm`}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('typed')}
      />
    </DialogForm>
  );
}

const formatContractsToEnd = ({ openBookings, openMemberships }: PersonSummary) => {
  const parts = [
    ...(openBookings > 0
      ? [`cancel ${openBookings} upcoming booking${openBookings === 1 ? '' : 's'} without a fee`]
      : []),
    ...(openMemberships > 0 ? ['end the membership today'] : []),
  ];
  return capitalize(parts.join(' and '));
};

/** What staff must know or review before an erasure: disputes, and data that it does not cover. */
export function ErasureRemarks({
  summary,
}: {
  summary: Pick<PersonSummary, 'disputedOrders' | 'otherEmails' | 'mentions'>;
}) {
  const { disputedOrders, otherEmails, mentions } = summary;
  return (
    <>
      {disputedOrders.length > 0 && (
        <Alert color="orange" title="Disputed payments">
          The bank has not decided yet about the payment of{' '}
          {disputedOrders.length === 1 ? 'order' : 'the orders'} {disputedOrders.join(', ')}. An
          erasure removes the names that you may need to answer it. Wait for the decision, or export
          the data first.
        </Alert>
      )}
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

function downloadFile(name: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** The names of database tables in the panel. */
const TABLE_LABELS: Record<string, string> = {
  bookings: 'Bookings',
  calendar_feeds: 'Calendar URLs',
  check_ins: 'Check-ins',
  day_passes: 'Day passes',
  idempotency_keys: 'Idempotent requests',
  locations: 'Locations that notify this address',
  lookup_handles: 'Kiosk lookups',
  mails: 'Emails',
  members: 'Member',
  memberships: 'Memberships',
  orders: 'Orders',
  payments: 'Payments',
  provider_events: 'Payment provider events',
  rate_limits: 'Rate limit counters',
  refunds: 'Refunds',
  sessions: 'Sessions',
  sign_in_links: 'Sign-in links',
  tickets: 'Tickets',
  users: 'Account',
  waitlist_entries: 'Waiting-list entries',
  webhook_messages: 'Webhook deliveries',
};

export const formatTableName = (table: string) => TABLE_LABELS[table] ?? table.replaceAll('_', ' ');
