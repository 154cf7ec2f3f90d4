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
  title: string;
  description: string;
  Content: ComponentType<StepProps>;
}

const SKIP = 'Skip';

const LocationStep = ({ onNext }: StepProps) => (
  <CreateLocationForm onCreated={onNext} onCancel={onNext} cancelLabel={SKIP} />
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
          <Text>Add a location first.</Text>
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
        cancelLabel={SKIP}
        onClose={onNext}
      />
    )}
  </WithLocation>
);

const ResourcesStep = ({ onNext }: StepProps) => (
  <WithLocation onNext={onNext}>
    {({ id }) => <ResourcePresets locationId={id} onDone={onNext} cancelLabel={SKIP} />}
  </WithLocation>
);

function ApiKeyStep({ onNext }: StepProps) {
  const create = useCreateFirstApiKey(onNext);
  return (
    <Stack>
      <FormError error={create.error} />
      <StepButtons onNext={onNext}>
        <Button onClick={() => create.mutate()} loading={create.isPending}>
          Create key
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
        <PairDisplayForm locationId={id} onClose={onNext} cancelLabel={SKIP} />
      </Stack>
    )}
  </WithLocation>
);

const EmailStep = ({ onNext }: StepProps) => <TestEmail onNext={onNext} />;

const DoneStep = () => (
  <Button component="a" href={ADMIN_PATH} fullWidth>
    Open the panel
  </Button>
);

const DONE_PATH = 'done';

const STEPS: Step[] = [
  {
    path: 'location',
    completes: 'LOCATION',
    title: 'Your first location',
    description: 'Where people work and meet. You can add more later.',
    Content: LocationStep,
  },
  {
    path: 'opening-hours',
    completes: 'OPENING_HOURS',
    title: 'Opening hours',
    description: 'Members cannot book outside these hours, staff can.',
    Content: HoursStep,
  },
  {
    path: 'resources',
    completes: 'RESOURCES',
    title: 'Rooms and desks',
    description: 'Say how many you have. Names, prices and rules can be changed later.',
    Content: ResourcesStep,
  },
  {
    path: 'api-key',
    completes: 'API_KEY',
    title: 'An API key',
    description: 'Programs such as your website read rooms and bookings with it.',
    Content: ApiKeyStep,
  },
  {
    path: 'display',
    completes: 'DISPLAY',
    title: 'A display',
    description: 'A screen at a room or at the entrance.',
    Content: DisplayStep,
  },
  {
    path: 'email',
    completes: 'TEST_EMAIL',
    title: 'A test email',
    description: 'Members get sign-in links, confirmations and reminders by email.',
    Content: EmailStep,
  },
  {
    path: DONE_PATH,
    title: 'Ready to open',
    description: 'What you have skipped stays in a checklist in the panel.',
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
  const { title, description, Content } = step;
  return (
    <Center component="main" ref={main} tabIndex={-1} mih="100dvh" p="md">
      <PageTitle>{title}</PageTitle>
      <Paper withBorder shadow="sm" radius="md" p={{ base: 'md', xs: 'xl' }} w="100%" maw={600}>
        <Group mb="lg" justify="space-between">
          <Logo />
          <Text size="sm" c="dimmed">
            {`Step ${index + 1} of ${STEPS.length}`}
          </Text>
        </Group>
        <Progress value={((index + 1) / STEPS.length) * 100} size="sm" mb="lg" aria-hidden />
        <Title order={1} size="h2">
          {title}
        </Title>
        <Text c="dimmed" size="sm" mb="md">
          {description}
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
      {SKIP}
    </Button>
    {children}
  </Group>
);
