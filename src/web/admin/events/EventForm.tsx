import {
  Alert,
  NumberInput,
  Radio,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { toApiError } from '../../api/errors.ts';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { formatTimeZone } from '../../components/format-local-time.ts';
import { BROWSER_TIME_ZONE } from '../../components/local-date-time.ts';
import { notifySuccess } from '../../components/notify.ts';
import { OrderLimitFields } from '../../components/OrderLimitFields.tsx';
import { toLocalDate } from '../../components/wall-clock.ts';
import { type LocationChoice, useResourceChoices } from '../spaces/queries.ts';
import {
  createEventValidators,
  type EventFormState,
  type EventFormValues,
  moveStartDay,
  toEventFormValues,
  toEventInput,
  toEventUpdate,
  toNewEventValues,
} from './event-form-values.ts';
import { EVENT_VISIBILITY_OPTIONS, formatTicketCount } from './event-labels.ts';
import { useSaveEvent } from './mutations.ts';
import type { EventDetails } from './queries.ts';

interface EventFormProps {
  locations: LocationChoice[];
  /** The one to change; without it, a draft is made. */
  event?: EventDetails;
  onSaved?: (event: { id: string }) => void;
  onClose: () => void;
}

export function EventForm({ locations, event, onSaved, onClose }: EventFormProps) {
  const save = useSaveEvent((saved) => {
    notifySuccess(event ? `${saved.title} is saved.` : `${saved.title} is made, as a draft.`);
    onClose();
    onSaved?.(saved);
  });
  const zoneOf = ({ locationId }: Pick<EventFormValues, 'locationId'>) =>
    locations.find(({ id }) => id === locationId)?.timeZone ??
    (event?.location.id === locationId ? event?.timeZone : undefined);
  const form = useForm<EventFormValues>({
    initialValues: event
      ? toEventFormValues(event)
      : toNewEventValues(locations, toLocalDate(new Date(), BROWSER_TIME_ZONE)),
    validate: createEventValidators(zoneOf),
  });
  const timeZone = zoneOf(form.values);
  const submit = form.onSubmit((values) => {
    const zone = zoneOf(values);
    if (zone === undefined) return; // without a location it is not valid
    if (event) save.mutate({ id: event.id, update: toEventUpdate(values, event, zone) });
    else save.mutate({ create: toEventInput(values, zone) });
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormError error={save.error} />
        <TextInput
          label="Title"
          placeholder="Summer party"
          maxLength={200}
          data-autofocus
          {...form.getInputProps('title')}
        />
        <EventLocationFields form={form} locations={locations} />
        <EventTimeFields form={form} timeZone={timeZone} />
        {event?.status === 'PUBLISHED' && isRescheduled(form.values, event) && (
          <Alert color="orange" role="status">
            Everybody who has tickets is told of the new time or place by mail.
          </Alert>
        )}
        <TextInput
          label="In a sentence (optional)"
          description="Shown in lists, and in what is shared"
          maxLength={500}
          {...form.getInputProps('summary')}
        />
        <Textarea
          label="Announcement (optional)"
          description="What those who think of coming want to know"
          autosize
          minRows={3}
          maxRows={12}
          maxLength={20_000}
          {...form.getInputProps('description')}
        />
        <TagsInput
          label="Tags (optional)"
          description="Press Enter after each: workshop, music"
          maxTags={50}
          {...form.getInputProps('tags')}
        />
        <EventPolicyFields form={form} taken={event?.taken ?? 0} />
        {event && (
          <TextInput
            label="Short name"
            description="It ends the address of the event’s page: old links lead nowhere once it is changed"
            maxLength={100}
            {...form.getInputProps('slug')}
          />
        )}
      </Stack>
      <DialogActions
        label={event ? 'Save event' : 'Create draft'}
        onCancel={onClose}
        pending={save.isPending}
      />
    </form>
  );
}

function isRescheduled(values: EventFormValues, event: EventDetails): boolean {
  const before = toEventFormValues(event);
  const told = ['locationId', 'startDay', 'startTime', 'endDay', 'endTime'] as const;
  return told.some((key) => values[key] !== before[key]);
}

interface EventLocationFieldsProps {
  form: EventFormState;
  locations: LocationChoice[];
}

/** A location, and perhaps a room there that the event has for itself. */
function EventLocationFields({ form, locations }: EventLocationFieldsProps) {
  const { locationId, resourceId } = form.values;
  const rooms = useResourceChoices(locationId);
  const choices = rooms.data?.filter(({ active, id }) => active || id === resourceId) ?? [];
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <Select
        label="Location"
        placeholder="Choose one"
        data={locations.map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        allowDeselect={false}
        nothingFoundMessage="No such location"
        {...form.getInputProps('locationId')}
        onChange={(id) => form.setValues({ locationId: id, resourceId: null })}
      />
      <Select
        label="Room (optional)"
        placeholder="None"
        data={choices.map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        clearable
        disabled={locationId === null}
        nothingFoundMessage="No such room"
        {...form.getInputProps('resourceId')}
        error={form.errors.resourceId ?? (rooms.error && toApiError(rooms.error).message)}
      />
    </SimpleGrid>
  );
}

interface EventTimeFieldsProps {
  form: EventFormState;
  /** Of the location, once there is one. */
  timeZone: string | undefined;
}

/** By the clocks of the location. */
const EventTimeFields = ({ form, timeZone }: EventTimeFieldsProps) => (
  <div>
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <SimpleGrid cols={2} spacing="sm">
        <TextInput
          type="date"
          label="Begins on"
          {...form.getInputProps('startDay')}
          onChange={({ currentTarget: { value } }) =>
            form.setValues(moveStartDay(form.values, value))
          }
        />
        <TextInput type="time" label="Begins at" {...form.getInputProps('startTime')} />
      </SimpleGrid>
      <SimpleGrid cols={2} spacing="sm">
        <TextInput type="date" label="Ends on" {...form.getInputProps('endDay')} />
        <TextInput type="time" label="Ends at" {...form.getInputProps('endTime')} />
      </SimpleGrid>
    </SimpleGrid>
    {timeZone && (
      <Text size="xs" c="dimmed" mt={4}>
        {formatTimeZone(timeZone)}, by the clocks of the location.
      </Text>
    )}
  </div>
);

interface EventPolicyFieldsProps {
  form: EventFormState;
  /** Tickets that are sold or held. */
  taken: number;
}

/** Who sees it, how many come, until when buyers may change their minds, and how orders are limited. */
const EventPolicyFields = ({ form, taken }: EventPolicyFieldsProps) => (
  <>
    <Radio.Group label="Who sees it" {...form.getInputProps('visibility')}>
      <Stack gap="xs" mt="xs">
        {EVENT_VISIBILITY_OPTIONS.map(({ value, label, description }) => (
          <Radio key={value} value={value} label={label} description={description} />
        ))}
      </Stack>
    </Radio.Group>
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <NumberInput
        label="Capacity (optional)"
        description={
          taken > 0
            ? `All tickets together; ${formatTicketCount(taken)} sold or held`
            : 'All tickets together'
        }
        placeholder="no limit"
        min={1}
        max={1_000_000}
        allowDecimal={false}
        {...form.getInputProps('capacity')}
      />
      <NumberInput
        label="Money back until (optional)"
        description="Buyers cancel by themselves until then"
        placeholder="never"
        suffix=" h before"
        min={0}
        max={366 * 24}
        allowDecimal={false}
        {...form.getInputProps('refundHours')}
      />
    </SimpleGrid>
    <OrderLimitFields
      values={form.values.limits}
      onChange={(change) => form.setFieldValue('limits', { ...form.values.limits, ...change })}
    />
  </>
);
