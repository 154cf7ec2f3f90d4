import { Anchor, Box, Button, Group, Stack, Text } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { isSpaceManager, useStaffViewer } from '../../app/session/viewer.ts';
import { DateTime } from '../../components/browser-time.tsx';
import { Confirmation, Dialog, useDialog } from '../../components/Dialog.tsx';
import { notifySuccess } from '../../components/notify.ts';
import {
  BackLink,
  DescriptionList,
  PageHeader,
  SectionCard,
} from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { formatMailingAudience, MailingProgress, MailingStatusBadge } from './mailing-labels.tsx';
import { type MailingDetails, useCancelMailing, useMailing } from './queries.ts';

/** The progress of a mailing. It refreshes while emails are being sent. */
export function MailingPage() {
  const { mailingId = '' } = useParams();
  const viewer = useStaffViewer();
  const mailing = useMailing(mailingId);
  return (
    <>
      <BackLink to="/mailings">All mailings</BackLink>
      <QueryBoundary query={mailing} height={400}>
        {(mailing) => (
          <>
            <PageHeader
              title={mailing.subject}
              description={formatMailingAudience(mailing)}
              action={
                <Group gap="sm">
                  {isSpaceManager(viewer) && (
                    <Button
                      component={Link}
                      to={`/settings/mails?mailingId=${mailing.id}`}
                      variant="default"
                    >
                      View emails
                    </Button>
                  )}
                  {mailing.allowedActions.cancel && <CancelMailing mailing={mailing} />}
                </Group>
              }
            />
            <Stack>
              <SectionCard title="Progress">
                <Progress mailing={mailing} />
              </SectionCard>
              <SectionCard title="Message">
                <Text
                  size="sm"
                  maw={640}
                  style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
                >
                  {mailing.body}
                </Text>
              </SectionCard>
            </Stack>
          </>
        )}
      </QueryBoundary>
    </>
  );
}

const Progress = ({ mailing }: { mailing: MailingDetails }) => (
  <>
    <Box role="status" mb="sm">
      <MailingProgress mailing={mailing} />
    </Box>
    <DescriptionList
      items={[
        ['Status', <MailingStatusBadge key="status" status={mailing.status} />],
        ['To', <AudienceLink key="to" mailing={mailing} />],
        ['Waiting', mailing.waitingCount > 0 ? String(mailing.waitingCount) : null],
        ['Sent by', mailing.author ?? 'An API key or a deleted account'],
        ['Created', <DateTime key="created" at={mailing.createdAt} format="since" />],
        ['Ended', mailing.endedAt && <DateTime key="ended" at={mailing.endedAt} format="since" />],
      ]}
    />
  </>
);

const AudienceLink = ({ mailing }: { mailing: MailingDetails }) =>
  mailing.event ? (
    <Anchor component={Link} to={`/events/${mailing.event.id}`} size="sm">
      {formatMailingAudience(mailing)}
    </Anchor>
  ) : (
    formatMailingAudience(mailing)
  );

function CancelMailing({ mailing }: { mailing: MailingDetails }) {
  const cancelling = useDialog();
  const cancel = useCancelMailing(() => {
    notifySuccess('Mailing cancelled.');
    cancelling.close();
  });
  return (
    <>
      <Button variant="light" color="red" onClick={() => cancelling.open(true)}>
        Cancel mailing
      </Button>
      <Dialog state={cancelling} title="Cancel mailing?">
        {() => (
          <Confirmation
            label="Cancel mailing"
            cancelLabel="Keep sending"
            pending={cancel.isPending}
            error={cancel.error}
            onConfirm={() => cancel.mutate(mailing.id)}
            onCancel={cancelling.close}
          >
            Emails that wait are removed. Those that were sent cannot be taken back.
          </Confirmation>
        )}
      </Dialog>
    </>
  );
}
