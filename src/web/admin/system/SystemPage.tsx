import { Alert, Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconClock } from '@tabler/icons-react';
import { DateTime } from '../../components/browser-time.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { PageHeader, SectionCard } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { useSendTestEmail } from '../setup/queries.ts';
import { TestEmailOutcome } from '../setup/TestEmail.tsx';
import { JobTable } from './JobTable.tsx';
import { type SystemProblem, type SystemStatus, useSystemStatus } from './queries.ts';
import {
  BackupDetails,
  DatabaseDetails,
  DisplayDetails,
  EmailDetails,
  PaymentDetails,
  RetentionDetails,
  VersionDetails,
  WebhookDetails,
} from './StatusDetails.tsx';

export function SystemPage() {
  return (
    <>
      <PageHeader
        title="System"
        description="Whether the installation works, and what to do if it does not. Updated every ten seconds."
      />
      <QueryBoundary query={useSystemStatus()} height={400}>
        {(status) => <Sections status={status} />}
      </QueryBoundary>
    </>
  );
}

const Sections = ({ status }: { status: SystemStatus }) => (
  <Stack>
    <Problems problems={status.problems} isStarting={isStarting(status)} />
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <EmailSection email={status.email} />
      <SectionCard title="Backups">
        <BackupDetails backups={status.backups} />
      </SectionCard>
      <SectionCard title="Database">
        <DatabaseDetails database={status.database} clock={status.clock} />
      </SectionCard>
      <SectionCard title="Versions">
        <VersionDetails versions={status.versions} instance={status.instance} />
      </SectionCard>
      <SectionCard title="Payments">
        <PaymentDetails payments={status.payments} />
      </SectionCard>
      <SectionCard title="Webhooks">
        <WebhookDetails webhooks={status.webhooks} />
      </SectionCard>
      <SectionCard title="Displays">
        <DisplayDetails displays={status.displays} />
      </SectionCard>
      <SectionCard
        title="Data retention"
        description="What Foyer deletes every night. Change it under Personal data."
      >
        <RetentionDetails retention={status.retention} />
      </SectionCard>
    </SimpleGrid>
    <JobTable jobs={status.jobs} />
  </Stack>
);

/** How long after its start an instance checks the installation for the first time, and has run the jobs of every minute. */
const FIRST_CHECK_MS = 60_000;

const isStarting = ({ checkedAt, instance }: SystemStatus) =>
  Date.parse(checkedAt) - Date.parse(instance.startedAt) < FIRST_CHECK_MS;

/** Announced to screen readers when it changes. */
const Problems = ({ problems, isStarting }: { problems: SystemProblem[]; isStarting: boolean }) => (
  <Stack role="status" aria-label="Problems" gap="sm">
    {problems.length === 0 && isStarting && (
      <Alert color="blue" icon={<IconClock />} title="Foyer has just started">
        The first checks are running. In a minute, this page says whether everything works.
      </Alert>
    )}
    {problems.length === 0 && !isStarting && (
      <Alert color="teal" icon={<IconCircleCheck />} title="Everything works">
        Foyer checks this every minute, and writes each new problem to its log.
      </Alert>
    )}
    {problems.map(({ code, message, remedy, isOfInstance, since }) => (
      <Alert key={code} color="orange" icon={<IconAlertTriangle />} title={message}>
        <Text size="sm">{remedy}</Text>
        {isOfInstance ? (
          <Text size="xs" c="dimmed" mt={4}>
            On the instance that answered. Others can differ.
          </Text>
        ) : (
          since && (
            <Text size="xs" c="dimmed" mt={4}>
              First seen <DateTime at={since} format="since" />
            </Text>
          )
        )}
      </Alert>
    ))}
  </Stack>
);

function EmailSection({ email }: { email: SystemStatus['email'] }) {
  const send = useSendTestEmail();
  return (
    <SectionCard
      title="Email"
      action={
        <Button variant="default" onClick={() => send.mutate()} loading={send.isPending}>
          Send test email
        </Button>
      }
    >
      <Stack gap="sm">
        <FormError error={send.error} />
        {send.data && <TestEmailOutcome {...send.data} />}
        <EmailDetails email={email} />
      </Stack>
    </SectionCard>
  );
}
