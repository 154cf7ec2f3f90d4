import { SegmentedControl, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { DialogForm } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { toLimitProps } from '../../components/input-values.ts';
import { notifySuccess } from '../../components/notify.ts';
import { MemberSelect } from '../members/MemberSelect.tsx';
import type { LocationChoice } from '../spaces/location-queries.ts';
import { toResourceOptions } from '../spaces/resource-labels.ts';
import { TimeFields } from './BookingFields.tsx';
import { BookingPreviewCard, SeriesPreviewCard } from './BookingPreview.tsx';
import {
  type BookingFormState,
  type BookingFormValues,
  type BookingPrefill,
  createBookingValidators,
  toBookingFormValues,
  toBookingInput,
  toSeriesInput,
} from './booking-form-values.ts';
import { useBookingEvaluation } from './booking-preview.ts';
import { toBookingTimes } from './booking-times.ts';
import type { BookableResource } from './day-queries.ts';
import { useCreateBooking } from './mutations.ts';
import { RepeatFields } from './RepeatFields.tsx';

interface NewBookingFormProps {
  location: LocationChoice;
  resources: BookableResource[];
  prefill: BookingPrefill;
  onBooked: (day: string) => void;
  onClose: () => void;
}

/** Shows violated rules and the price while staff fill in the form. */
export function NewBookingForm({
  location,
  resources,
  prefill,
  onBooked,
  onClose,
}: NewBookingFormProps) {
  const { timeZone } = location;
  const form = useForm<BookingFormValues>({
    initialValues: toBookingFormValues(prefill, timeZone),
    validate: createBookingValidators(timeZone),
  });
  const create = useCreateBooking(({ count, firstStart }) => {
    notifySuccess(count === 1 ? 'Booking created.' : `${count} bookings created.`);
    if (firstStart) onBooked(toLocalDate(firstStart, timeZone));
    onClose();
  });
  const { values } = form;
  const evaluation = useBookingEvaluation(values, timeZone);
  const submit = form.onSubmit((values) => {
    const input = toBookingInput(values, timeZone);
    if (input === null) return;
    const { override } = evaluation;
    if (values.repeat === 'NONE') create.mutate({ booking: { ...input, override } });
    else {
      const onConflict = override ? 'REJECT' : 'SKIP';
      create.mutate({ series: { ...toSeriesInput(input, values), override, onConflict } });
    }
  });
  return (
    <DialogForm
      label={evaluation.label}
      onSubmit={submit}
      mutation={create}
      color={evaluation.override ? 'red' : undefined}
      disabled={evaluation.isBlocked || (evaluation.override && !evaluation.isCurrent)}
      onCancel={onClose}
    >
      <BookingFields form={form} resources={resources} timeZone={timeZone} />
      {evaluation.booking && (
        <BookingPreviewCard
          preview={evaluation.booking}
          isBookerKnown={isBookerKnown(values)}
          isCurrent={evaluation.isCurrent}
          timeZone={timeZone}
          onSelect={(slot) => form.setValues(toBookingTimes(slot, timeZone))}
        />
      )}
      {evaluation.series && (
        <SeriesPreviewCard
          preview={evaluation.series}
          isCurrent={evaluation.isCurrent}
          timeZone={timeZone}
        />
      )}
      {!create.error && <FormError error={evaluation.error} />}
    </DialogForm>
  );
}

const isBookerKnown = ({ kind, member }: BookingFormValues) => kind === 'guest' || member !== null;

interface BookingFieldsProps {
  form: BookingFormState;
  resources: BookableResource[];
  timeZone: string;
}

function BookingFields({ form, resources, timeZone }: BookingFieldsProps) {
  return (
    <>
      <Select
        label="Resource"
        data={toResourceOptions(resources)}
        searchable
        allowDeselect={false}
        nothingFoundMessage="No matching resource"
        {...form.getInputProps('resourceId')}
      />
      <HolderFields form={form} />
      <TimeFields
        times={form.values}
        errors={form.errors}
        timeZone={timeZone}
        onChange={(times) => form.setValues(times)}
      />
      <RepeatFields
        value={form.values}
        day={form.values.day}
        countError={form.errors.count}
        onChange={(change) => form.setValues(change)}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label="Title (optional)"
          {...toLimitProps('CreateBookingInput', 'title')}
          {...form.getInputProps('title')}
        />
        <Textarea
          label="Notes (optional)"
          autosize
          minRows={1}
          maxRows={4}
          {...toLimitProps('CreateBookingInput', 'notes')}
          {...form.getInputProps('notes')}
        />
      </SimpleGrid>
    </>
  );
}

const HOLDER_KIND_OPTIONS = [
  { value: 'member', label: 'For a member' },
  { value: 'guest', label: 'For a guest' },
];

function HolderFields({ form }: { form: BookingFormState }) {
  const canFind = can(useStaffViewer(), 'members:read');
  return (
    <Stack gap="xs">
      {canFind && (
        <SegmentedControl
          aria-label="Booked by"
          data={HOLDER_KIND_OPTIONS}
          value={form.values.kind}
          onChange={(kind) => form.setFieldValue('kind', kind as BookingFormValues['kind'])}
        />
      )}
      {canFind && form.values.kind === 'member' ? (
        <MemberSelect
          value={form.values.member}
          onChange={(member) => form.setFieldValue('member', member)}
          error={form.errors.member}
        />
      ) : (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label="Guest name"
            {...toLimitProps('GuestInput', 'name')}
            {...form.getInputProps('guestName')}
          />
          <TextInput
            type="email"
            label="Guest email (optional)"
            {...toLimitProps('GuestInput', 'email')}
            {...form.getInputProps('guestEmail')}
          />
        </SimpleGrid>
      )}
    </Stack>
  );
}
