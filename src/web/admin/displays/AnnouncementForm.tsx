import { Select } from '@mantine/core';
import { formatTimeZone } from '../../../core/time/format.ts';
import { PeriodFields } from '../../components/FieldGroups.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import type { FieldViews } from '../../components/input-values.ts';
import { toSelectOptions } from '../../components/ListFilters.tsx';
import {
  parseLocalDateTime,
  toLocalDateTime,
  validateEndAfterStart,
  validateLocalDateTime,
} from '../../components/local-date-time.ts';
import { notifySuccess } from '../../components/notify.ts';
import type { CreateAnnouncementInput, UpdateAnnouncementInput } from '../../gql/graphql.ts';
import { EditForm } from '../EditForm.tsx';
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

const VIEWS: FieldViews<CreateAnnouncementInput & Omit<UpdateAnnouncementInput, 'id'>> = {
  title: {
    label: 'Title',
    placeholder: 'The elevator is under repair',
    missing: 'Enter a title',
  },
  body: { label: 'Details', rows: 2, maxRows: 6 },
  locationId: { label: 'Location', hidesOptional: true },
  startsAt: { label: 'From' },
  endsAt: { label: 'Until' },
};

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
  const form = useInputForm(
    announcement ? 'UpdateAnnouncementInput' : 'CreateAnnouncementInput',
    VIEWS,
    {
      row: {
        ...announcement,
        locationId: announcement ? announcement.location?.id : locationId,
        startsAt: toLocalDateTime(announcement?.startsAt ?? null, initialTimeZone),
        endsAt: toLocalDateTime(announcement?.endsAt ?? null, initialTimeZone),
      },
      validate: {
        startsAt: (local, { locationId }) => validateLocalDateTime(local, getTimeZone(locationId)),
        endsAt: (local, { startsAt, locationId }) =>
          validateEndAfterStart(startsAt, local, getTimeZone(locationId)),
      },
      toInput: ({ startsAt, endsAt, locationId }) => ({
        startsAt: parseLocalDateTime(startsAt, getTimeZone(locationId)),
        endsAt: parseLocalDateTime(endsAt, getTimeZone(locationId)),
      }),
    },
  );
  const zone = getTimeZone(form.values.locationId);
  const submit = form.onSubmit((values) =>
    save.mutate(
      announcement
        ? { update: { id: announcement.id, ...form.toChanges(values) } }
        : { create: form.toInput(values) },
    ),
  );
  return (
    <EditForm
      row={announcement}
      form={form}
      label="Save announcement"
      onSubmit={submit}
      mutation={save}
      onCancel={onClose}
    >
      <InputField form={form} name="title" isFirst />
      <InputField form={form} name="body" />
      <Select
        data={[{ value: '', label: 'All locations' }, ...toSelectOptions(locations.data)]}
        allowDeselect={false}
        {...form.getFieldProps('locationId')}
      />
      <PeriodFields
        start={form.getFieldProps('startsAt')}
        end={form.getFieldProps('endsAt')}
        hint={[
          `${formatTimeZone(zone)}${form.values.locationId ? ', the location’s time zone.' : ', your time zone.'}`,
          !announcement && 'Leave both blank to show it from now until you delete it.',
        ]
          .filter(Boolean)
          .join(' ')}
      />
    </EditForm>
  );
}
