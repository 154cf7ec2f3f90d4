import { Button, Text } from '@mantine/core';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { IconMail } from '../../ui/icons.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { PagedList } from '../../ui/PagedList.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { MailState } from './MailState.tsx';
import { type Mail, useMails } from './queries.ts';
import { ReadMail } from './ReadMail.tsx';

const columns: Column<Mail>[] = [
  { header: 'Subject', cell: ({ subject }) => <Text fw={600}>{subject}</Text> },
  { header: 'To', cell: ({ recipient }) => <Text size="sm">{recipient}</Text> },
  { header: 'State', cell: (mail) => <MailState mail={mail} /> },
  { header: 'Written', cell: ({ createdAt }) => <Moment at={createdAt} as="since" /> },
];

export function MailsPage() {
  const pages = useMails();
  const reading = useDialog<Mail>();
  return (
    <>
      <PageHeader
        title="Mails"
        description="What the service has written to people, and whether it was sent. Without a mail server it is kept here, for you to pass on."
      />
      <PagedList
        pages={pages}
        empty={
          <EmptyState icon={IconMail} title="No mails yet">
            Links to sign in and other messages to members and guests will be listed here.
          </EmptyState>
        }
      >
        {(mails) => (
          <DataTable
            label="Mails"
            columns={columns}
            rows={mails}
            keyOf={({ id }) => id}
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
        )}
      </PagedList>
      <Dialog state={reading} title={reading.subject?.subject ?? 'Mail'} size="lg">
        {(mail) => <ReadMail mail={mail} />}
      </Dialog>
    </>
  );
}
