import { Alert, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { dayAt } from '../../ui/wall-clock.ts';
import type { Location } from '../spaces/queries.ts';
import { hereZone } from '../spaces/time-zones.ts';
import { useSaveEvent } from './changes.ts';
import { EventPlace } from './EventPlace.tsx';
import { EventRules } from './EventRules.tsx';
import { EventTimes } from './EventTimes.tsx';
import {
  changesOf,
  type EventValues,
  inputOf,
  newEvent,
  validateEvent,
  valuesOf,
} from './event-form.ts';
import type { EventDetails } from './event-queries.ts';

interface Props {
  locations: Location[];
  /** The one to change; without it, a draft is made. */
  event?: EventDetails;
  onSaved?: (event: { id: string }) => void;
  onClose: () => void;
}

export function EventForm({ locations, event, onSaved, onClose }: Props) {
  const save = useSaveEvent((saved) => {
    notifyDone(event ? `${saved.title} is saved.` : `${saved.title} is made, as a draft.`);
    onClose();
    onSaved?.(saved);
  });
  const zoneOf = ({ locationId }: Pick<EventValues, 'locationId'>) =>
    locations.find(({ id }) => id === locationId)?.timeZone ??
    (event?.location.id === locationId ? event?.timeZone : undefined);
  const form = useForm<EventValues>({
    initialValues: event ? valuesOf(event) : newEvent(locations, dayAt(new Date(), hereZone)),
    validate: validateEvent(zoneOf),
  });
  const timeZone = zoneOf(form.values);
  const submit = form.onSubmit((values) => {
    const zone = zoneOf(values);
    if (zone === undefined) return; // without a location it is not valid
    if (event) save.mutate({ id: event.id, update: changesOf(values, event, zone) });
    else save.mutate({ create: inputOf(values, zone) });
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormFailure error={save.error} />
        <TextInput
          label="Title"
          placeholder="Summer party"
          maxLength={200}
          data-autofocus
          {...form.getInputProps('title')}
        />
        <EventPlace form={form} locations={locations} />
        <EventTimes form={form} timeZone={timeZone} />
        {event?.status === 'PUBLISHED' && isMoved(form.values, event) && (
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
        <EventRules form={form} taken={event?.taken ?? 0} />
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

function isMoved(values: EventValues, event: EventDetails): boolean {
  const before = valuesOf(event);
  const told = ['locationId', 'startDay', 'startTime', 'endDay', 'endTime'] as const;
  return told.some((key) => values[key] !== before[key]);
}
