import { Alert, Radio, Select, SimpleGrid, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatTimeZone } from '../../../core/time/format.ts';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { toApiError } from '../../api/errors.ts';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import { toSelectOptions } from '../../components/ListFilters.tsx';
import { notifySuccess } from '../../components/notify.ts';
import {
  OrderLimitFields,
  toOrderLimitInput,
  toOwnOrderLimitValues,
} from '../../components/OrderLimitFields.tsx';
import { BROWSER_TIME_ZONE } from '../../components/wall-clock.ts';
import { EditForm } from '../EditForm.tsx';
import type { LocationChoice } from '../spaces/location-queries.ts';
import { useResourceChoices } from '../spaces/resource-queries.ts';
import {
  createEventValidators,
  EVENT_VIEWS,
  EVENT_VISIBILITY_OPTIONS,
  type EventFormState,
  formatTicketCount,
  moveStart,
  toEventRow,
  toEventTimes,
  toNewEventRow,
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
  const findTimeZone = ({ locationId }: { locationId: string }) =>
    locations.find(({ id }) => id === locationId)?.timeZone ??
    (event?.location.id === locationId ? event?.timeZone : undefined);
  const form = useInputForm(event ? 'UpdateEventInput' : 'CreateEventInput', EVENT_VIEWS, {
    row: event
      ? toEventRow(event)
      : toNewEventRow(locations, toLocalDate(new Date(), BROWSER_TIME_ZONE)),
    own: toOwnOrderLimitValues(event?.orderLimits),
    validate: createEventValidators(findTimeZone),
    toInput: (values) => ({
      ...toOrderLimitInput(values),
      ...toEventTimes(values, findTimeZone(values) ?? 'UTC'),
    }),
  });
  const before = form.getInitialValues();
  const isRescheduled = NOTIFIED_FIELDS.some((name) => form.values[name] !== before[name]);
  const submit = form.onSubmit((values) =>
    save.mutate(
      event
        ? { update: { id: event.id, ...form.toChanges(values) } }
        : { create: form.toInput(values) },
    ),
  );
  return (
    <EditForm
      row={event}
      form={form}
      label={event ? 'Save event' : 'Create draft'}
      onSubmit={submit}
      mutation={save}
      onCancel={onClose}
    >
      <InputField form={form} name="title" isFirst />
      <EventLocationFields form={form} locations={locations} />
      <EventTimeFields form={form} timeZone={findTimeZone(form.values)} />
      {event?.status === 'PUBLISHED' && isRescheduled && (
        <Alert color="orange" role="status">
          Ticket holders are notified of the new time or location by email.
        </Alert>
      )}
      <InputField form={form} name="summary" />
      <InputField form={form} name="description" />
      <TagsInput {...form.getFieldProps('tags')} />
      <EventPolicyFields form={form} reservedCount={event?.reservedCount ?? 0} />
      {event && <InputField form={form} name="slug" />}
    </EditForm>
  );
}

/** Buyers get an email if one of these changes. */
const NOTIFIED_FIELDS = ['locationId', 'startsAt', 'endsAt'] as const;

interface EventLocationFieldsProps {
  form: EventFormState;
  locations: LocationChoice[];
}

/** The location, and optionally a room that the event reserves. */
function EventLocationFields({ form, locations }: EventLocationFieldsProps) {
  const { locationId, resourceId } = form.values;
  const rooms = useResourceChoices(locationId || null);
  const choices = rooms.data?.filter(({ active, id }) => active || id === resourceId) ?? [];
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <Select
        data={toSelectOptions(locations)}
        searchable
        allowDeselect={false}
        nothingFoundMessage="No matching location"
        {...form.getFieldProps('locationId')}
        onChange={(id) => form.setValues({ locationId: id ?? '', resourceId: '' })}
      />
      <Select
        data={toSelectOptions(choices)}
        searchable
        clearable
        disabled={locationId === ''}
        nothingFoundMessage="No matching room"
        {...form.getFieldProps('resourceId')}
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
      <DayAndTimeFields
        dayLabel="Starts on"
        timeLabel="Starts at"
        {...form.getFieldProps('startsAt')}
        onChange={(local) => form.setValues(moveStart(form.values, local))}
      />
      <DayAndTimeFields dayLabel="Ends on" timeLabel="Ends at" {...form.getFieldProps('endsAt')} />
    </SimpleGrid>
    {timeZone && (
      <Text size="xs" c="dimmed" mt={4}>
        {formatTimeZone(timeZone)}, the location’s time zone.
      </Text>
    )}
  </div>
);

interface DayAndTimeFieldsProps {
  dayLabel: string;
  timeLabel: string;
  /** "2026-11-20T18:00". While a part is missing, it is an empty text. */
  value: string;
  error?: ReactNode;
  onChange: (local: string) => void;
  'data-path'?: string;
}

function DayAndTimeFields({
  dayLabel,
  timeLabel,
  value,
  onChange,
  ...field
}: DayAndTimeFieldsProps) {
  const [day = '', time = ''] = value.split('T');
  return (
    <SimpleGrid cols={2} spacing="sm">
      <TextInput
        type="date"
        label={dayLabel}
        value={day}
        onChange={({ currentTarget }) => onChange(`${currentTarget.value}T${time}`)}
      />
      <TextInput
        type="time"
        label={timeLabel}
        value={time}
        error={field.error}
        data-path={field['data-path']}
        onChange={({ currentTarget }) => onChange(`${day}T${currentTarget.value}`)}
      />
    </SimpleGrid>
  );
}

interface EventPolicyFieldsProps {
  form: EventFormState;
  /** Tickets sold or on hold. */
  reservedCount: number;
}

/** Visibility, capacity, refund deadline and order limits. */
const EventPolicyFields = ({ form, reservedCount }: EventPolicyFieldsProps) => (
  <>
    <Radio.Group {...form.getFieldProps('visibility')}>
      <Stack gap="xs" mt="xs">
        {EVENT_VISIBILITY_OPTIONS.map(({ value, label, description }) => (
          <Radio key={value} value={value} label={label} description={description} />
        ))}
      </Stack>
    </Radio.Group>
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <InputField
        form={form}
        name="capacity"
        {...(reservedCount > 0 && {
          description: `All ticket types together. ${formatTicketCount(reservedCount)} sold or on hold.`,
        })}
      />
      <InputField form={form} name="refundHours" />
    </SimpleGrid>
    <OrderLimitFields form={form} />
  </>
);
