import { Button, Group, List, Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatLocalDateTimeRange } from '../../../core/time/format.ts';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { DialogForm } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import { type FieldViews, toLimitProps } from '../../components/input-values.ts';
import { notifySuccess } from '../../components/notify.ts';
import { isCalendarDate } from '../../components/wall-clock.ts';
import type { AnnounceClosureMutation, CreateClosureInput } from '../../gql/graphql.ts';
import {
  type ClosureEffects,
  useAnnounceClosure,
  useClosureEffects,
  useCreateClosure,
} from './closure-queries.ts';
import type { Closure } from './location-queries.ts';

const VIEWS: FieldViews<Omit<CreateClosureInput, 'locationId'>> = {
  startsOn: { label: 'First day', type: 'date', missing: 'Select a day' },
  endsOn: { label: 'Last day', type: 'date', missing: 'Select a day' },
  reason: {
    label: 'Reason',
    description: 'Shown to people who try to book these days',
    placeholder: 'Public holiday',
  },
};

interface Place {
  id: string;
  timeZone: string;
}

interface AddClosureFormProps {
  location: Place;
  today: string;
  onClose: () => void;
}

/** Shows what falls within the closure before it is saved, and what happens to it. */
export function AddClosureForm({ location, today, onClose }: AddClosureFormProps) {
  const [treatment, setTreatment] = useState(KEEP);
  const form = useInputForm('CreateClosureInput', VIEWS, {
    row: { startsOn: today, endsOn: today },
    validate: {
      startsOn: (day) => (isCalendarDate(day) ? null : 'Select a day'),
      endsOn: (day, { startsOn }) => {
        if (!isCalendarDate(day)) return 'Select a day';
        return day < startsOn ? 'Select a day on or after the first day' : null;
      },
    },
  });
  const { startsOn, endsOn } = form.values;
  const effects = useClosureEffects(location, startsOn, endsOn);
  const isAffecting = hasEffects(effects.data);
  const canAnnounce = can(useStaffViewer(), 'bookings:write');
  // If the emails fail, the closure exists already, and only they are repeated.
  const [createdId, setCreatedId] = useState<string>();
  const announce = useAnnounceClosure((result) => {
    notifyAnnounced(result);
    onClose();
  });
  const create = useCreateClosure(({ id }) => {
    notifySuccess('Closure added.');
    if (!isAffecting || treatment.kind === 'keep') {
      onClose();
      return;
    }
    setCreatedId(id);
    announce.mutate(toInput(id, treatment));
  });
  return (
    <DialogForm
      label={isAffecting ? toLabel('Add closure', treatment) : 'Add closure'}
      onSubmit={form.onSubmit((values) =>
        createdId === undefined
          ? create.mutate({ locationId: location.id, ...form.toInput(values) })
          : announce.mutate(toInput(createdId, treatment)),
      )}
      mutation={{
        error: create.error ?? announce.error,
        isPending: create.isPending || announce.isPending,
      }}
      color={isAffecting && treatment.kind === 'cancel' ? 'red' : undefined}
      onCancel={onClose}
    >
      <SimpleGrid cols={2}>
        <InputField form={form} name="startsOn" />
        <InputField form={form} name="endsOn" />
      </SimpleGrid>
      <InputField form={form} name="reason" />
      <FormError error={effects.error} />
      {effects.data && <EffectList effects={effects.data} timeZone={location.timeZone} />}
      {isAffecting && canAnnounce && (
        <TreatmentFields value={treatment} onChange={setTreatment} keeps />
      )}
    </DialogForm>
  );
}

interface AnnounceClosureFormProps {
  location: Place;
  closure: Closure;
  onClose: () => void;
}

/** Shows what falls within a closure, and emails the holders or cancels the bookings. */
export function AnnounceClosureForm({ location, closure, onClose }: AnnounceClosureFormProps) {
  const [treatment, setTreatment] = useState<Treatment>({ kind: 'email', message: '' });
  const effects = useClosureEffects(location, closure.startsOn, closure.endsOn);
  const announce = useAnnounceClosure((result) => {
    notifyAnnounced(result);
    onClose();
  });
  return (
    <DialogForm
      label={treatment.kind === 'cancel' ? 'Cancel bookings' : 'Email holders'}
      onSubmit={(event) => {
        event.preventDefault();
        announce.mutate(toInput(closure.id, treatment));
      }}
      mutation={{ error: announce.error ?? effects.error, isPending: announce.isPending }}
      color={treatment.kind === 'cancel' ? 'red' : undefined}
      disabled={!hasEffects(effects.data)}
      cancelLabel="Close"
      onCancel={onClose}
    >
      {effects.data && <EffectList effects={effects.data} timeZone={location.timeZone} />}
      <TreatmentFields value={treatment} onChange={setTreatment} />
      <Text size="sm" c="dimmed">
        Each booking, ticket and day pass is announced once. Sending again emails only new holders.
        Only owners and managers can email holders of tickets and day passes, or add a message.
      </Text>
    </DialogForm>
  );
}

/** What happens to the bookings within a closure. */
interface Treatment {
  kind: 'keep' | 'email' | 'cancel';
  message: string;
}

const KEEP: Treatment = { kind: 'keep', message: '' };

const toInput = (id: string, { kind, message }: Treatment) => ({
  id,
  message: message.trim() || null,
  cancelBookings: kind === 'cancel',
});

const toLabel = (label: string, { kind }: Treatment) =>
  ({ keep: label, email: `${label} and email holders`, cancel: `${label} and cancel bookings` })[
    kind
  ];

const hasEffects = (effects: ClosureEffects | undefined) =>
  effects !== undefined && effects.bookingCount + effects.events.length + effects.dayPassCount > 0;

const notifyAnnounced = ({
  bookingCount,
  cancelledCount,
  ticketHolderCount,
}: AnnounceClosureMutation['announceClosure']) => {
  if (bookingCount + ticketHolderCount === 0) {
    notifySuccess('Nobody to email: everybody with an address was emailed before.');
    return;
  }
  const bookings = bookingCount === 1 ? '1 booking' : `${bookingCount} bookings`;
  const texts = [
    ...(cancelledCount > 0 ? [`${bookings} will be cancelled shortly.`] : []),
    ...(bookingCount > 0 ? ['Holders of bookings get an email.'] : []),
    ...(ticketHolderCount === 1 ? ['1 holder of tickets or day passes gets an email.'] : []),
    ...(ticketHolderCount > 1
      ? [`${ticketHolderCount} holders of tickets or day passes get an email.`]
      : []),
  ];
  notifySuccess(texts.join(' '));
};

interface TreatmentFieldsProps {
  value: Treatment;
  onChange: (treatment: Treatment) => void;
  /** Whether the bookings can stay without an email. */
  keeps?: boolean;
}

function TreatmentFields({ value, onChange, keeps = false }: TreatmentFieldsProps) {
  const canMail = can(useStaffViewer(), 'mailings:write');
  return (
    <>
      <Radio.Group
        label="What happens to bookings"
        value={value.kind}
        onChange={(kind) => onChange({ ...value, kind: kind as Treatment['kind'] })}
      >
        <Stack gap="xs" mt="xs">
          {keeps && <Radio value="keep" label="They stay. Nobody is emailed." />}
          <Radio
            value="email"
            label={
              canMail
                ? 'They stay. Email each holder of bookings, tickets and day passes.'
                : 'They stay. Email each holder of bookings.'
            }
          />
          <Radio
            value="cancel"
            label="Cancel the bookings, and email each holder. No fee is charged, and plan hours return."
          />
        </Stack>
      </Radio.Group>
      {value.kind !== 'keep' && canMail && (
        <TextInput
          label="Message (optional)"
          description="Part of the email, besides the days and the reason"
          {...toLimitProps('AnnounceClosureInput', 'message')}
          value={value.message}
          onChange={({ currentTarget: { value: message } }) => onChange({ ...value, message })}
        />
      )}
    </>
  );
}

/** Longer lists are cut off until someone asks for the rest. */
const MAX_SHOWN = 8;

function EffectList({ effects, timeZone }: { effects: ClosureEffects; timeZone: string }) {
  const [showsAll, setShowsAll] = useState(false);
  const { bookings, bookingCount, events, dayPassCount } = effects;
  if (bookingCount === 0 && events.length === 0 && dayPassCount === 0)
    return <Text size="sm">No bookings, events or day passes fall within this closure.</Text>;
  const shown = showsAll ? bookings : bookings.slice(0, MAX_SHOWN);
  return (
    <section aria-label="Within this closure" aria-live="polite">
      {bookingCount > 0 && (
        <>
          <Text size="sm" fw={600}>
            {bookingCount === 1
              ? '1 booking falls within this closure:'
              : `${bookingCount} bookings fall within this closure:`}
          </Text>
          <List size="sm" mah={220} style={{ overflowY: 'auto' }}>
            {shown.map(({ id, startsAt, endsAt, resource, member, guest }) => (
              <List.Item key={id}>
                {formatLocalDateTimeRange(startsAt, endsAt, timeZone)}: {resource.name},{' '}
                {member?.name ?? guest?.name}
                {!member && !guest?.email && ' (no email address)'}
              </List.Item>
            ))}
          </List>
          {bookings.length > shown.length && (
            <Button variant="subtle" size="xs" onClick={() => setShowsAll(true)}>
              Show more
            </Button>
          )}
          {showsAll && bookingCount > bookings.length && (
            <Text size="sm">and {bookingCount - bookings.length} more</Text>
          )}
        </>
      )}
      {events.length > 0 && (
        <Text size="sm" mt="xs">
          Events that stay until you move or cancel them:{' '}
          {events.map(({ title }) => title).join(', ')}
        </Text>
      )}
      {dayPassCount > 0 && (
        <Group mt="xs">
          <Text size="sm">
            {dayPassCount === 1 ? '1 day pass stays' : `${dayPassCount} day passes stay`} valid
            until you cancel them under Orders.
          </Text>
        </Group>
      )}
    </section>
  );
}
