import { Select, Textarea, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { DialogForm } from '../../components/Dialog.tsx';
import {
  PeriodFields,
  toChangedInstant,
  toLocalDateTime,
  validateEndAfterStart,
  validateLocalDateTime,
} from '../../components/FieldGroups.tsx';
import { formatTimeZone } from '../../components/format-local-time.ts';
import { toSelectOptions } from '../../components/ListFilters.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { useLocationChoices } from '../spaces/location-queries.ts';
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
    save.mutate(announcement ? { update: { id: announcement.id, ...input } } : { create: input });
  });
  return (
    <DialogForm label="Save announcement" onSubmit={submit} mutation={save} onCancel={onClose}>
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
        data={[{ value: '', label: 'All locations' }, ...toSelectOptions(locations.data)]}
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
          `${formatTimeZone(zone)}${form.values.locationId ? ', the location’s time zone.' : ', your time zone.'}`,
          !announcement && 'Leave both blank to show it from now until you delete it.',
        ]
          .filter(Boolean)
          .join(' ')}
      />
    </DialogForm>
  );
}
