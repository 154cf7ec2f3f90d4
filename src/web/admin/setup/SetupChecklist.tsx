import { Anchor, Button, List, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconCircle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { toServiceUrl } from '../../api/urls.ts';
import { isSpaceOwner, useStaffViewer } from '../../app/session/viewer.ts';
import { notifyFailure } from '../../components/notify.ts';
import { SectionCard } from '../../components/PageLayout.tsx';
import type { SetupStep } from '../../gql/graphql.ts';
import { type Checklist, STEP_LABELS, useDismissChecklist, useSetupChecklist } from './queries.ts';

/** Where a step is taken: on the setup page, or in a section of the panel. */
const STEP_PATHS: Record<SetupStep, { setup: string } | { panel: string }> = {
  LOCATION: { setup: 'setup/location' },
  OPENING_HOURS: { setup: 'setup/opening-hours' },
  RESOURCES: { setup: 'setup/resources' },
  API_KEY: { setup: 'setup/api-key' },
  DISPLAY: { setup: 'setup/display' },
  TEST_EMAIL: { setup: 'setup/email' },
  MEMBERS: { panel: '/members' },
  STAFF: { panel: '/settings/staff' },
};

/** What is left of the setup, until all is done or an owner dismisses it. */
export function SetupChecklist() {
  const isOwner = isSpaceOwner(useStaffViewer());
  const { data } = useSetupChecklist(isOwner);
  if (!data || data.open.length === 0 || data.dismissedAt !== null) return null;
  return <ChecklistCard checklist={data} />;
}

function ChecklistCard({ checklist: { done, open } }: { checklist: Checklist }) {
  const dismiss = useDismissChecklist(() => undefined);
  return (
    <section style={{ marginBottom: 'var(--mantine-spacing-lg)' }}>
      <SectionCard
        title="Finish the setup"
        count={`${done.length} of ${done.length + open.length}`}
        description="Only owners see this."
        action={
          <Button
            size="xs"
            variant="default"
            loading={dismiss.isPending}
            onClick={() =>
              dismiss.mutate(undefined, {
                onError: (error) => notifyFailure('Could not hide the checklist', error),
              })
            }
          >
            Hide checklist
          </Button>
        }
      >
        <List spacing="xs" size="sm" center listStyleType="none">
          {open.map((step) => (
            <List.Item key={step} icon={<StepIcon />}>
              <StepLink step={step} />
            </List.Item>
          ))}
          {done.map((step) => (
            <List.Item key={step} icon={<StepIcon isDone />}>
              <Text size="sm" c="dimmed">
                {STEP_LABELS[step]} (done)
              </Text>
            </List.Item>
          ))}
        </List>
      </SectionCard>
    </section>
  );
}

const StepIcon = ({ isDone = false }: { isDone?: boolean }) => (
  <ThemeIcon size={20} radius="xl" variant="light" color={isDone ? 'teal' : 'gray'} aria-hidden>
    {isDone ? <IconCheck size={14} /> : <IconCircle size={14} />}
  </ThemeIcon>
);

function StepLink({ step }: { step: SetupStep }) {
  const path = STEP_PATHS[step];
  const label = STEP_LABELS[step];
  return 'setup' in path ? (
    <Anchor size="sm" href={toServiceUrl(path.setup)}>
      {label}
    </Anchor>
  ) : (
    <Anchor size="sm" component={Link} to={path.panel}>
      {label}
    </Anchor>
  );
}
