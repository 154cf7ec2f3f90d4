import { Select, Textarea, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { formatTimeZone } from '../../components/format-local-time.ts';
import {
  toChangedInstant,
  toLocalDateTime,
  validateEndAfterStart,
  validateLocalDateTime,
} from '../../components/local-date-time.ts';
import { notifySuccess } from '../../components/notify.ts';
import { PeriodFields } from '../../components/PeriodFields.tsx';
import { RecordForm } from '../../components/RecordForm.tsx';
import { useLocationChoices } from '../spaces/queries.ts';
import {
  type Announcement,
  toAnnouncementTimeZone,
  useSaveAnnouncement,
} from './announcement-queries.ts';

interface Props {
  /** The announcement to edit. Omit it to create one. */
  announcement?: Announcement;
  /** The preselected location of a new announcement. */
  locationId: string | null;
  onClose: () => void;
}

export function AnnouncementForm({ announcement, locationId, onClose }: Props) {
  const locations = useLocationChoices();
  const save = useSaveAnnouncement(() => {
    notifySuccess('Announcement saved.');
    onClose();
  });
  const findLocation = (id: string) =>
    locations.data?.find((location) => location.id === id) ?? null;
  const getTimeZone = (id: string) =>
    toAnnouncementTimeZone(
      announcement?.location?.id === id ? announcement.location : findLocation(id),
    );
  const initialTimeZone = toAnnouncementTimeZone(
    announcement?.location ?? findLocation(locationId ?? ''),
  );
  const form = useForm({
    initialValues: {
      title: announcement?.title ?? '',
      body: announcement?.body ?? '',
      locationId: announcement ? (announcement.location?.id ?? '') : (locationId ?? ''),
      starts: toLocalDateTime(announcement?.startsAt ?? null, initialTimeZone),
      ends: toLocalDateTime(announcement?.endsAt ?? null, initialTimeZone),
    },
    validate: {
      title: isNotEmpty('Enter a title'),
      starts: (starts, { locationId }) => validateLocalDateTime(starts, getTimeZone(locationId)),
      ends: (ends, { starts, locationId }) =>
        validateEndAfterStart(starts, ends, getTimeZone(locationId)),
    },
  });
  const zone = getTimeZone(form.values.locationId);
  const submit = form.onSubmit(({ title, body, locationId, starts, ends }) => {
    const startsAt = starts && toChangedInstant(starts, announcement?.startsAt ?? null, zone);
    const input = {
      title: title.trim(),
      body: body.trim() || null,
      locationId: locationId || null,
      endsAt: ends ? toChangedInstant(ends, announcement?.endsAt ?? null, zone) : null,
      ...(startsAt ? { startsAt } : {}),
    };
    save.mutate(announcement ? { id: announcement.id, update: input } : { create: input });
  });
  return (
    <RecordForm label="Save announcement" onSubmit={submit} save={save} onClose={onClose}>
      <TextInput
        label="Title"
        placeholder="The elevator is under repair"
        maxLength={200}
        data-autofocus
        {...form.getInputProps('title')}
      />
      <Textarea
        label="Details (optional)"
        autosize
        minRows={2}
        maxRows={6}
        maxLength={2000}
        {...form.getInputProps('body')}
      />
      <Select
        label="Location"
        data={[
          { value: '', label: 'All locations' },
          ...(locations.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []),
        ]}
        allowDeselect={false}
        {...form.getInputProps('locationId')}
      />
      <PeriodFields
        start={{
          label: announcement ? 'From' : 'From (optional)',
          ...form.getInputProps('starts'),
        }}
        end={{ label: 'Until (optional)', ...form.getInputProps('ends') }}
        hint={[
          `${formatTimeZone(zone)}${form.values.locationId ? ', in the location’s time zone.' : ', in your time zone.'}`,
          !announcement && 'Leave blank to show it from now until you delete it.',
        ]
          .filter(Boolean)
          .join(' ')}
      />
    </RecordForm>
  );
}
