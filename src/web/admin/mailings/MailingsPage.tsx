import { Button, Text } from '@mantine/core';
import { IconPlus, IconSend } from '@tabler/icons-react';
import { Link } from 'react-router';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { DateTime } from '../../components/browser-time.tsx';
import { type Column, DataTable, NameCell } from '../../components/DataTable.tsx';
import { EmptyState, PageHeader } from '../../components/PageLayout.tsx';
import { InfiniteList } from '../../components/QueryBoundary.tsx';
import { formatMailingAudience, MailingProgress, MailingStatusBadge } from './mailing-labels.tsx';
import { type Mailing, useMailings } from './queries.ts';

const columns: Column<Mailing>[] = [
  {
    header: 'Subject',
    cell: ({ id, subject }) => <NameCell name={subject} to={`/mailings/${id}`} />,
  },
  {
    header: 'To',
    cell: (mailing) => <Text size="sm">{formatMailingAudience(mailing)}</Text>,
  },
  { header: 'Status', cell: ({ status }) => <MailingStatusBadge status={status} /> },
  { header: 'Progress', cell: (mailing) => <MailingProgress mailing={mailing} /> },
  { header: 'Created', cell: ({ createdAt }) => <DateTime at={createdAt} format="since" /> },
];

export function MailingsPage() {
  const canSend = can(useStaffViewer(), 'mailings:write');
  const pages = useMailings();
  const add = canSend && (
    <Button component={Link} to="/mailings/new" leftSection={<IconPlus size={18} />}>
      New mailing
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Mailings"
        description="Emails that staff send to the attendees of an event, or to members."
        action={pages.rows?.length ? add : null}
      />
      <InfiniteList
        pages={pages}
        empty={
          <EmptyState icon={IconSend} title="No mailings yet" action={add}>
            Tell the attendees of an event what to bring, or members when you are closed.
          </EmptyState>
        }
      >
        {(mailings) => (
          <DataTable
            label="Mailings"
            columns={columns}
            rows={mailings}
            getKey={({ id }) => id}
            isEnded={({ status }) => status === 'CANCELLED'}
          />
        )}
      </InfiniteList>
    </>
  );
}
