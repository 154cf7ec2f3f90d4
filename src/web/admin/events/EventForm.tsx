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
import { DialogForm } from '../../components/Dialog.tsx';
import { BROWSER_TIME_ZONE, formatTimeZone } from '../../components/format-local-time.ts';
import { toSelectOptions } from '../../components/ListFilters.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { OrderLimitFields } from '../../components/OrderLimitFields.tsx';
import { toLocalDate } from '../../components/wall-clock.ts';
import type { LocationChoice } from '../spaces/location-queries.ts';
import { useResourceChoices } from '../spaces/resource-queries.ts';
import {
  createEventValidators,
  EVENT_VISIBILITY_OPTIONS,
  type EventFormState,
  type EventFormValues,
  formatTicketCount,
  moveStartDay,
  toEventFormValues,
  toEventInput,
  toEventUpdate,
  toNewEventValues,
} from './event-form-values.ts';
import type { EventDetails } from './event-page-query.ts';
import { useSaveEvent } from './mutations.ts';

interface EventFormProps {
  locations: LocationChoice[];
  /** The event to edit. Omit it to create a draft. */
  event?: EventDetails;
  onSaved?: (event: { id: string }) => void;
  onClose: () => void;
}

export function EventForm({ locations, event, onSaved, onClose }: EventFormProps) {
  const save = useSaveEvent((saved) => {
    notifySuccess(event ? `${saved.title} saved.` : `Draft ${saved.title} created.`);
    onClose();
    onSaved?.(saved);
  });
  const findTimeZone = ({ locationId }: Pick<EventFormValues, 'locationId'>) =>
    locations.find(({ id }) => id === locationId)?.timeZone ??
    (event?.location.id === locationId ? event?.timeZone : undefined);
  const form = useForm<EventFormValues>({
    initialValues: event
      ? toEventFormValues(event)
      : toNewEventValues(locations, toLocalDate(new Date(), BROWSER_TIME_ZONE)),
    validate: createEventValidators(findTimeZone),
  });
  const timeZone = findTimeZone(form.values);
  const submit = form.onSubmit((values) => {
    const zone = findTimeZone(values);
    if (zone === undefined) return; // validation requires a location
    if (event) save.mutate({ update: { id: event.id, ...toEventUpdate(values, event, zone) } });
    else save.mutate({ create: toEventInput(values, zone) });
  });
  return (
    <DialogForm
      label={event ? 'Save event' : 'Create draft'}
      onSubmit={submit}
      mutation={save}
      onCancel={onClose}
    >
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
          Ticket holders are notified of the new time or location by email.
        </Alert>
      )}
      <TextInput
        label="Short summary (optional)"
        description="Shown in lists and link previews"
        maxLength={500}
        {...form.getInputProps('summary')}
      />
      <Textarea
        label="Description (optional)"
        description="Shown on the event page"
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
      <EventPolicyFields form={form} reservedCount={event?.reservedCount ?? 0} />
      {event && (
        <TextInput
          label="Short name"
          description="The last part of the page URL. Changing it breaks existing links."
          maxLength={100}
          {...form.getInputProps('slug')}
        />
      )}
    </DialogForm>
  );
}

function isRescheduled(values: EventFormValues, event: EventDetails): boolean {
  const before = toEventFormValues(event);
  const notifiedFields = ['locationId', 'startDay', 'startTime', 'endDay', 'endTime'] as const;
  return notifiedFields.some((key) => values[key] !== before[key]);
}

interface EventLocationFieldsProps {
  form: EventFormState;
  locations: LocationChoice[];
}

/** The location, and optionally a room that the event reserves. */
function EventLocationFields({ form, locations }: EventLocationFieldsProps) {
  const { locationId, resourceId } = form.values;
  const rooms = useResourceChoices(locationId);
  const choices = rooms.data?.filter(({ active, id }) => active || id === resourceId) ?? [];
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <Select
        label="Location"
        placeholder="Select a location"
        data={toSelectOptions(locations)}
        searchable
        allowDeselect={false}
        nothingFoundMessage="No matching location"
        {...form.getInputProps('locationId')}
        onChange={(id) => form.setValues({ locationId: id, resourceId: null })}
      />
      <Select
        label="Room (optional)"
        placeholder="None"
        data={toSelectOptions(choices)}
        searchable
        clearable
        disabled={locationId === null}
        nothingFoundMessage="No matching room"
        {...form.getInputProps('resourceId')}
        error={form.errors.resourceId ?? (rooms.error && toApiError(rooms.error).message)}
      />
    </SimpleGrid>
  );
}

interface EventTimeFieldsProps {
  form: EventFormState;
  /** The zone of the location, once one is selected. */
  timeZone: string | undefined;
}

/** Start and end, in the time zone of the location. */
const EventTimeFields = ({ form, timeZone }: EventTimeFieldsProps) => (
  <div>
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <SimpleGrid cols={2} spacing="sm">
        <TextInput
          type="date"
          label="Starts on"
          {...form.getInputProps('startDay')}
          onChange={({ currentTarget: { value } }) =>
            form.setValues(moveStartDay(form.values, value))
          }
        />
        <TextInput type="time" label="Starts at" {...form.getInputProps('startTime')} />
      </SimpleGrid>
      <SimpleGrid cols={2} spacing="sm">
        <TextInput type="date" label="Ends on" {...form.getInputProps('endDay')} />
        <TextInput type="time" label="Ends at" {...form.getInputProps('endTime')} />
      </SimpleGrid>
    </SimpleGrid>
    {timeZone && (
      <Text size="xs" c="dimmed" mt={4}>
        {formatTimeZone(timeZone)}, the location’s time zone.
      </Text>
    )}
  </div>
);

interface EventPolicyFieldsProps {
  form: EventFormState;
  /** Tickets sold or on hold. */
  reservedCount: number;
}

/** Visibility, capacity, refund deadline and order limits. */
const EventPolicyFields = ({ form, reservedCount }: EventPolicyFieldsProps) => (
  <>
    <Radio.Group label="Visibility" {...form.getInputProps('visibility')}>
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
          reservedCount > 0
            ? `All ticket types together. ${formatTicketCount(reservedCount)} sold or on hold.`
            : 'All ticket types together'
        }
        placeholder="Unlimited"
        min={1}
        max={1_000_000}
        allowDecimal={false}
        {...form.getInputProps('capacity')}
      />
      <NumberInput
        label="Refunds until (optional)"
        description="Buyers can cancel online until then"
        placeholder="No refunds"
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
