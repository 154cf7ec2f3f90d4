import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { DateTime } from '../../components/browser-time.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { SearchField, StatusFilter, useSearch } from '../../components/ListFilters.tsx';
import { BackLink, EmptyState, PageHeader, StatusBadge } from '../../components/PageLayout.tsx';
import { InfiniteList, QueryBoundary } from '../../components/QueryBoundary.tsx';
import type { MailState } from '../../gql/graphql.ts';
import { type Mail, useMailContent, useMails } from './queries.ts';

const columns: Column<Mail>[] = [
  { header: 'Subject', cell: ({ subject }) => <Text fw={600}>{subject}</Text> },
  { header: 'To', cell: ({ recipient }) => <Text size="sm">{recipient}</Text> },
  { header: 'Status', cell: (mail) => <MailStateBadge mail={mail} /> },
  { header: 'Created', cell: ({ createdAt }) => <DateTime at={createdAt} format="since" /> },
];

/** The URL can contain a mailing. */
export function MailsPage() {
  const [query] = useSearchParams();
  const mailingId = query.get('mailingId');
  const search = useSearch(query.get('q') ?? '');
  const [state, setState] = useState<MailState | null>(null);
  const pages = useMails({ mailingId, q: search.q, state: state && [state] });
  const reading = useDialog<Mail>();
  return (
    <>
      {mailingId && <BackLink to={`/mailings/${mailingId}`}>Mailing</BackLink>}
      <PageHeader
        title={mailingId ? 'Emails of a mailing' : 'Emails'}
        description="Emails from Foyer and their delivery status."
      />
      <Group align="flex-end" mb="md" gap="sm">
        <SearchField placeholder="Address or subject" search={search} />
        <StatusFilter options={STATE_OPTIONS} value={state} onChange={setState} w={170} />
      </Group>
      <InfiniteList
        pages={pages}
        empty={
          search.q || state ? (
            <EmptyState icon={IconMail} title="No matching emails">
              Try another status, or another part of the address or the subject.
            </EmptyState>
          ) : (
            <EmptyState icon={IconMail} title="No emails yet">
              Sign-in links and other messages to members and guests appear here.
            </EmptyState>
          )
        }
      >
        {(mails) => (
          <>
            {mails.some((mail) => mail.state === 'STORED') && <NoMailServer />}
            <DataTable
              label="Emails"
              columns={columns}
              rows={mails}
              getKey={({ id }) => id}
              actions={(mail) => (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Read ${mail.subject}, to ${mail.recipient}`}
                  onClick={() => reading.open(mail)}
                >
                  Read
                </Button>
              )}
            />
          </>
        )}
      </InfiniteList>
      <Dialog state={reading} title={reading.subject?.subject ?? 'Email'} size="lg">
        {(mail) => <MailContent mail={mail} />}
      </Dialog>
    </>
  );
}

const NoMailServer = () => (
  <Alert color="yellow" mb="md" title="Some emails are stored only">
    Foyer has no mail server. Pass urgent ones on yourself. They are sent once <code>SMTP_URL</code>{' '}
    is set.
  </Alert>
);

/** Shows the plain text only, so that no HTML from emails runs in the panel. */
function MailContent({ mail }: { mail: Mail }) {
  const content = useMailContent(mail.id);
  return (
    <QueryBoundary query={content}>
      {({ text, attachments }) => (
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            To {mail.recipient}
          </Text>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {text}
          </Text>
          {attachments.length > 0 && (
            <Text size="sm" c="dimmed">
              Attached: {attachments.map(({ name }) => name).join(', ')}
            </Text>
          )}
        </Stack>
      )}
    </QueryBoundary>
  );
}

const MAIL_STATE_LABELS: Record<MailState, [color: string, label: string]> = {
  SENT: ['teal', 'Sent'],
  WAITING: ['yellow', 'Waiting'],
  FAILED: ['red', 'Failed'],
  SUPPRESSED: ['orange', 'Suppressed'],
  STORED: ['gray', 'Stored only'],
};

const STATE_OPTIONS = Object.entries(MAIL_STATE_LABELS).map(([value, [, label]]) => ({
  value: value as MailState,
  label,
}));

function MailStateBadge({ mail: { state, sentAt, lastError } }: { mail: Mail }) {
  const [color, label] = MAIL_STATE_LABELS[state];
  return (
    <>
      <StatusBadge color={color}>{label}</StatusBadge>
      {(sentAt || lastError) && (
        <Text size="xs" c="dimmed" mt={4} maw={320} style={{ overflowWrap: 'anywhere' }}>
          {sentAt ? <DateTime at={sentAt} format="since" /> : lastError}
        </Text>
      )}
    </>
  );
}
