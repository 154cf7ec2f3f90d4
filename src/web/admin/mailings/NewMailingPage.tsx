import { Button, Group, Radio, Select, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { InputField, type InputForm, useInputForm } from '../../components/InputFields.tsx';
import type { FieldViews } from '../../components/input-values.ts';
import { toSelectOptions } from '../../components/ListFilters.tsx';
import { BackLink, PageHeader, SectionCard } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { UnsavedChanges } from '../../components/UnsavedChanges.tsx';
import type { MailingAudience, PreviewMailingInput } from '../../gql/graphql.ts';
import { CheckAndSend } from './CheckAndSend.tsx';
import { useAudienceChoices } from './queries.ts';

type Choices = NonNullable<ReturnType<typeof useAudienceChoices>['data']>;

type AudienceInput = Omit<PreviewMailingInput, 'subject' | 'body'>;
type MessageInput = Pick<PreviewMailingInput, 'subject' | 'body'>;

const AUDIENCE_VIEWS: FieldViews<AudienceInput> = {
  audience: { label: 'Who gets it?' },
  eventId: { label: 'Event', hidesOptional: true, placeholder: 'Select an event' },
  planId: { label: 'Plan', hidesOptional: true },
  locationId: {
    label: 'Location',
    hidesOptional: true,
    description: 'Members who visited or booked there in the last 90 days',
  },
};

const MESSAGE_VIEWS: FieldViews<MessageInput> = {
  subject: { label: 'Subject', missing: 'Enter a subject' },
  body: { label: 'Message', missing: 'Enter a message', rows: 8, maxRows: 24 },
};

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
  const audienceForm = useInputForm('PreviewMailingInput', AUDIENCE_VIEWS, {
    row: { audience: eventId === null ? 'MEMBERS' : 'ATTENDEES', eventId, planId },
    validate: {
      eventId: (id, { audience }) => (audience === 'ATTENDEES' && !id ? 'Select an event' : null),
    },
    toInput: ({ audience, eventId, planId, locationId }) =>
      audience === 'ATTENDEES'
        ? { eventId, planId: null, locationId: null }
        : { eventId: null, planId: planId || null, locationId: locationId || null },
  });
  const { audience } = audienceForm.values;
  const messageForm = useInputForm('PreviewMailingInput', MESSAGE_VIEWS, {
    validate: { body: (body) => validateVariables(body, audience) },
  });
  const goOn = () => setStep(step + 1);
  const next = step === 0 ? audienceForm.onSubmit(goOn) : messageForm.onSubmit(goOn);
  const back = () => setStep(step - 1);
  if (step === 2) {
    return (
      <Step number={step}>
        <CheckAndSend
          input={{
            ...audienceForm.toInput(audienceForm.values),
            ...messageForm.toInput(messageForm.values),
          }}
          onBack={back}
        />
        <UnsavedChanges isDirty savedPath="/mailings/" />
      </Step>
    );
  }
  return (
    <Step number={step}>
      <form onSubmit={next} noValidate>
        <Stack maw={640}>
          {step === 0 ? (
            <AudienceFields form={audienceForm} choices={choices} />
          ) : (
            <MessageFields form={messageForm} audience={audience} />
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
      <UnsavedChanges isDirty={audienceForm.isDirty() || messageForm.isDirty()} />
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

function AudienceFields({ form, choices }: { form: InputForm<AudienceInput>; choices: Choices }) {
  const { events, plans, locations } = choices;
  return (
    <>
      <Radio.Group {...form.getFieldProps('audience')}>
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
          searchable
          data={events.map(({ id, title }) => ({ value: id, label: title }))}
          nothingFoundMessage="No such event"
          {...form.getFieldProps('eventId')}
        />
      ) : (
        <>
          <Select
            data={[{ value: '', label: 'Any plan' }, ...toSelectOptions(plans)]}
            allowDeselect={false}
            {...form.getFieldProps('planId')}
          />
          <Select
            data={[{ value: '', label: 'Any location' }, ...toSelectOptions(locations)]}
            allowDeselect={false}
            {...form.getFieldProps('locationId')}
          />
        </>
      )}
    </>
  );
}

const MessageFields = ({
  form,
  audience,
}: {
  form: InputForm<MessageInput>;
  audience: MailingAudience;
}) => (
  <>
    <InputField form={form} name="subject" />
    <InputField
      form={form}
      name="body"
      description={
        audience === 'MEMBERS'
          ? 'Plain text. A blank line starts a paragraph. {{name}} becomes the name of the member.'
          : 'Plain text. A blank line starts a paragraph.'
      }
    />
    <Text size="xs" c="dimmed">
      A line below the message says why people get it.
    </Text>
  </>
);

/** The service rejects other variables too, so that a mistyped one is sent to nobody. */
function validateVariables(body: string, audience: MailingAudience): string | null {
  const rest = audience === 'MEMBERS' ? body.replaceAll('{{name}}', '') : body;
  if (!rest.includes('{{')) return null;
  return audience === 'MEMBERS'
    ? 'The only variable is {{name}}'
    : 'Emails to attendees have no variables';
}
