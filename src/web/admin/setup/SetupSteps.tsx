import {
  Alert,
  Anchor,
  Button,
  Center,
  Group,
  Paper,
  Progress,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';
import { Navigate, useNavigate, useParams } from 'react-router';
import { ADMIN_PATH, toServiceUrl } from '../../api/urls.ts';
import { useSetup } from '../../app/session/setup-query.ts';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { Logo, useRouteFocus } from '../../components/PageLayout.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import type { SetupStep } from '../../gql/graphql.ts';
import { getText } from '../../language/page-texts.ts';
import { PairDisplayForm } from '../displays/NewDisplayForms.tsx';
import { CreateLocationForm } from '../spaces/LocationForms.tsx';
import { type LocationDetails, useLocationList } from '../spaces/location-queries.ts';
import { WeekEditor } from '../spaces/OpeningHours.tsx';
import { useCreateFirstApiKey, useSetupChecklist } from './queries.ts';
import { ResourcePresets } from './ResourcePresets.tsx';
import { TestEmail } from './TestEmail.tsx';

interface StepProps {
  onNext: () => void;
}

interface Step {
  path: string;
  /** What it completes. Absent: nothing. */
  completes?: SetupStep;
  /** The texts of the step begin with it. */
  texts: TextName;
  Content: ComponentType<StepProps>;
}

/** The titles are in the language of the page. The forms are those of the panel, which is in English. */
type TextName = 'location' | 'hours' | 'resources' | 'display' | 'testEmail' | 'apiKey' | 'ready';

const LocationStep = ({ onNext }: StepProps) => (
  <CreateLocationForm onCreated={onNext} onCancel={onNext} cancelLabel={getText('setup.skip')} />
);

/** Shows the first location. Without one, the step before comes first. */
const WithLocation = ({
  onNext,
  children,
}: StepProps & { children: (location: LocationDetails) => ReactNode }) => (
  <QueryBoundary query={useLocationList()}>
    {([location]) =>
      location ? (
        children(location)
      ) : (
        <Stack>
          <Text>{getText('setup.needsLocation')}</Text>
          <StepButtons onNext={onNext} />
        </Stack>
      )
    }
  </QueryBoundary>
);

const SUGGESTED_HOURS = [{ opens: '09:00', closes: '18:00' }];
const SUGGESTED_WEEK = {
  MONDAY: SUGGESTED_HOURS,
  TUESDAY: SUGGESTED_HOURS,
  WEDNESDAY: SUGGESTED_HOURS,
  THURSDAY: SUGGESTED_HOURS,
  FRIDAY: SUGGESTED_HOURS,
  SATURDAY: [],
  SUNDAY: [],
};

const HoursStep = ({ onNext }: StepProps) => (
  <WithLocation onNext={onNext}>
    {(location) => (
      <WeekEditor
        location={location}
        suggestion={SUGGESTED_WEEK}
        cancelLabel={getText('setup.skip')}
        onClose={onNext}
      />
    )}
  </WithLocation>
);

const ResourcesStep = ({ onNext }: StepProps) => (
  <WithLocation onNext={onNext}>
    {({ id }) => (
      <ResourcePresets locationId={id} onDone={onNext} cancelLabel={getText('setup.skip')} />
    )}
  </WithLocation>
);

function ApiKeyStep({ onNext }: StepProps) {
  const create = useCreateFirstApiKey(onNext);
  return (
    <Stack>
      <FormError error={create.error} />
      <StepButtons onNext={onNext}>
        <Button onClick={() => create.mutate()} loading={create.isPending}>
          {getText('setup.createKey')}
        </Button>
      </StepButtons>
    </Stack>
  );
}

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
const isLoopback = (url: string) => LOOPBACK_HOSTS.includes(new URL(url).hostname);

/** The same URL with the address of a machine in a local network. */
function toExampleAddress(url: string): string {
  const example = new URL(url);
  example.hostname = '192.168.1.20';
  return example.href;
}

/** Where displays find the service: at its public URL, or at the address of this page if that is only for this machine. */
function DisplayAddress() {
  const { data: setup } = useSetup();
  if (setup === undefined) return null;
  const url = isLoopback(setup.baseUrl) ? toServiceUrl('display') : `${setup.baseUrl}/display`;
  return (
    <>
      <Text size="sm">
        Open{' '}
        <Anchor href={url} target="_blank" style={{ overflowWrap: 'anywhere' }}>
          {url}
        </Anchor>{' '}
        on a tablet or screen, then enter the code that it shows.
      </Text>
      {isLoopback(url) && (
        <Alert color="orange" title="Only this machine can open that address">
          On another device, replace {new URL(url).hostname} with the name or the IP address of this
          machine in your network, such as {toExampleAddress(url)}, and set BASE_URL to it.
        </Alert>
      )}
    </>
  );
}

const DisplayStep = ({ onNext }: StepProps) => (
  <WithLocation onNext={onNext}>
    {({ id }) => (
      <Stack>
        <DisplayAddress />
        <PairDisplayForm locationId={id} onClose={onNext} cancelLabel={getText('setup.skip')} />
      </Stack>
    )}
  </WithLocation>
);

const EmailStep = ({ onNext }: StepProps) => <TestEmail onNext={onNext} />;

const DoneStep = () => (
  <Button component="a" href={ADMIN_PATH} fullWidth>
    {getText('setup.openPanel')}
  </Button>
);

const DONE_PATH = 'done';

const STEPS: Step[] = [
  {
    path: 'location',
    completes: 'LOCATION',
    texts: 'location',
    Content: LocationStep,
  },
  {
    path: 'opening-hours',
    completes: 'OPENING_HOURS',
    texts: 'hours',
    Content: HoursStep,
  },
  {
    path: 'resources',
    completes: 'RESOURCES',
    texts: 'resources',
    Content: ResourcesStep,
  },
  {
    path: 'display',
    completes: 'DISPLAY',
    texts: 'display',
    Content: DisplayStep,
  },
  {
    path: 'email',
    completes: 'TEST_EMAIL',
    texts: 'testEmail',
    Content: EmailStep,
  },
  {
    path: 'api-key',
    completes: 'API_KEY',
    texts: 'apiKey',
    Content: ApiKeyStep,
  },
  {
    path: DONE_PATH,
    texts: 'ready',
    Content: DoneStep,
  },
];

/** Leads the owner through the first steps. Each can be skipped. */
export function SetupSteps() {
  const { step: path } = useParams();
  const navigate = useNavigate();
  const main = useRouteFocus();
  const index = STEPS.findIndex((step) => step.path === path);
  const step = STEPS[index];
  if (step === undefined) return <NextStep />;
  const next = STEPS[index + 1];
  const { texts, Content } = step;
  const title = getText(`setup.${texts}`);
  return (
    <Center component="main" ref={main} tabIndex={-1} mih="100dvh" p="md">
      <PageTitle>{title}</PageTitle>
      <Paper withBorder shadow="sm" radius="md" p={{ base: 'md', xs: 'xl' }} w="100%" maw={600}>
        <Group mb="lg" justify="space-between">
          <Logo />
          <Text size="sm" c="dimmed">
            {getText('setup.step', { number: index + 1, count: STEPS.length })}
          </Text>
        </Group>
        <Progress value={((index + 1) / STEPS.length) * 100} size="sm" mb="lg" aria-hidden />
        <Title order={1} size="h2">
          {title}
        </Title>
        <Text c="dimmed" size="sm" mb="md">
          {getText(`setup.${texts}Description`)}
        </Text>
        <Content key={path} onNext={() => next && navigate(`/setup/${next.path}`)} />
      </Paper>
    </Center>
  );
}

/** Leads to the first step that is not done, for owners who come back. */
const NextStep = () => (
  <QueryBoundary query={useSetupChecklist()}>
    {({ open }) => {
      const next = STEPS.find(({ completes }) => completes && open.includes(completes));
      return <Navigate replace to={`/setup/${next?.path ?? DONE_PATH}`} />;
    }}
  </QueryBoundary>
);

/** The buttons of a step without a form. */
const StepButtons = ({ onNext, children }: StepProps & { children?: ReactNode }) => (
  <Group justify="flex-end">
    <Button variant="default" onClick={onNext}>
      {getText('setup.skip')}
    </Button>
    {children}
  </Group>
);
