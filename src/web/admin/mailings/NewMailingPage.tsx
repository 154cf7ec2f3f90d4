import { Button, Group, Radio, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { isNotEmpty, type UseFormReturnType, useForm } from '@mantine/form';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { toSelectOptions } from '../../components/ListFilters.tsx';
import { BackLink, PageHeader, SectionCard } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { UnsavedChanges } from '../../components/UnsavedChanges.tsx';
import type { MailingAudience, PreviewMailingInput } from '../../gql/graphql.ts';
import { CheckAndSend } from './CheckAndSend.tsx';
import { useAudienceChoices } from './queries.ts';

type Choices = NonNullable<ReturnType<typeof useAudienceChoices>['data']>;

interface Values {
  audience: MailingAudience;
  eventId: string;
  /** Empty: any. */
  planId: string;
  locationId: string;
  subject: string;
  body: string;
}

type Form = UseFormReturnType<Values>;

/** The URL can contain the event or the plan. */
export function NewMailingPage() {
  const [query] = useSearchParams();
  const eventId = query.get('eventId');
  const choices = useAudienceChoices(eventId);
  return (
    <>
      <BackLink to="/mailings">All mailings</BackLink>
      <PageHeader
        title="New mailing"
        description="Every mailbox gets the email once. You check it before it is sent."
      />
      <QueryBoundary query={choices} height={400}>
        {(choices) => (
          <MailingSteps choices={choices} eventId={eventId} planId={query.get('planId')} />
        )}
      </QueryBoundary>
    </>
  );
}

const STEPS = ['Recipients', 'Message', 'Check and send'] as const;

interface StepsProps {
  choices: Choices;
  eventId: string | null;
  planId: string | null;
}

function MailingSteps({ choices, eventId, planId }: StepsProps) {
  const [step, setStep] = useState(0);
  const form = useForm<Values>({
    initialValues: {
      audience: eventId === null ? 'MEMBERS' : 'ATTENDEES',
      eventId: eventId ?? '',
      planId: planId ?? '',
      locationId: '',
      subject: '',
      body: '',
    },
    validate: (values) =>
      step === 0
        ? {
            eventId:
              values.audience === 'ATTENDEES'
                ? isNotEmpty('Select an event')(values.eventId)
                : null,
          }
        : {
            subject: isNotEmpty('Enter a subject')(values.subject.trim()),
            body: validateBody(values),
          },
  });
  const next = form.onSubmit(() => setStep(step + 1));
  const back = () => setStep(step - 1);
  if (step === 2) {
    return (
      <Step number={step}>
        <CheckAndSend input={toInput(form.values)} onBack={back} />
        <UnsavedChanges isDirty savedPath="/mailings/" />
      </Step>
    );
  }
  return (
    <Step number={step}>
      <form onSubmit={next} noValidate>
        <Stack maw={640}>
          {step === 0 ? (
            <AudienceFields form={form} choices={choices} />
          ) : (
            <MessageFields form={form} />
          )}
        </Stack>
        <Group gap="sm" mt="lg">
          {step > 0 && (
            <Button variant="default" onClick={back}>
              Back
            </Button>
          )}
          <Button type="submit">Continue</Button>
        </Group>
      </form>
      <UnsavedChanges isDirty={form.isDirty()} />
    </Step>
  );
}

/** Focuses the content after a change of the step, so that keyboards and screen readers start there. */
function Step({ number, children }: { number: number; children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null);
  const previous = useRef(number);
  useEffect(() => {
    if (previous.current === number) return;
    previous.current = number;
    content.current?.focus();
  }, [number]);
  return (
    <div ref={content} tabIndex={-1} style={{ outline: 'none' }}>
      <SectionCard
        title={STEPS[number] ?? ''}
        description={`Step ${number + 1} of ${STEPS.length}`}
      >
        {children}
      </SectionCard>
    </div>
  );
}

function AudienceFields({ form, choices }: { form: Form; choices: Choices }) {
  const { events, plans, locations } = choices;
  return (
    <>
      <Radio.Group label="Who gets it?" {...form.getInputProps('audience')}>
        <Stack gap="xs" mt="xs">
          <Radio value="MEMBERS" label="Members" description="With a membership today" />
          <Radio
            value="ATTENDEES"
            label="Attendees of an event"
            description="Buyers and holders of valid tickets"
          />
        </Stack>
      </Radio.Group>
      {form.values.audience === 'ATTENDEES' ? (
        <Select
          label="Event"
          placeholder="Select an event"
          searchable
          data={events.map(({ id, title }) => ({ value: id, label: title }))}
          nothingFoundMessage="No such event"
          {...form.getInputProps('eventId')}
        />
      ) : (
        <>
          <Select
            label="Plan"
            data={[{ value: '', label: 'Any plan' }, ...toSelectOptions(plans)]}
            allowDeselect={false}
            {...form.getInputProps('planId')}
          />
          <Select
            label="Location"
            description="Members who visited or booked there in the last 90 days"
            data={[{ value: '', label: 'Any location' }, ...toSelectOptions(locations)]}
            allowDeselect={false}
            {...form.getInputProps('locationId')}
          />
        </>
      )}
    </>
  );
}

const MessageFields = ({ form }: { form: Form }) => (
  <>
    <TextInput label="Subject" maxLength={200} {...form.getInputProps('subject')} />
    <Textarea
      label="Message"
      description={
        form.values.audience === 'MEMBERS'
          ? 'Plain text. A blank line starts a paragraph. {{name}} becomes the name of the member.'
          : 'Plain text. A blank line starts a paragraph.'
      }
      autosize
      minRows={8}
      maxRows={24}
      maxLength={20_000}
      {...form.getInputProps('body')}
    />
    <Text size="xs" c="dimmed">
      A line below the message says why people get it.
    </Text>
  </>
);

/** The service rejects other variables too, so that a mistyped one is sent to nobody. */
function validateBody({ body, audience }: Values): string | null {
  if (body.trim() === '') return 'Enter a message';
  const rest = audience === 'MEMBERS' ? body.replaceAll('{{name}}', '') : body;
  if (!rest.includes('{{')) return null;
  return audience === 'MEMBERS'
    ? 'The only variable is {{name}}'
    : 'Emails to attendees have no variables';
}

const toInput = ({
  audience,
  eventId,
  planId,
  locationId,
  subject,
  body,
}: Values): PreviewMailingInput => ({
  audience,
  subject: subject.trim(),
  body,
  ...(audience === 'ATTENDEES'
    ? { eventId }
    : {
        ...(planId ? { planId } : {}),
        ...(locationId ? { locationId } : {}),
      }),
});
