import { Alert, Button, NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useParams } from 'react-router';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { DescriptionList } from '../../components/DescriptionList.tsx';
import { Dialog, DialogActions, useDialog } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { TIME_ZONES } from '../../components/local-date-time.ts';
import { notifySuccess } from '../../components/notify.ts';
import { BackLink, PageHeader } from '../../components/PageHeader.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { SectionCard } from '../../components/SectionCard.tsx';
import { useNow } from '../../components/use-now.ts';
import { toLocalDate } from '../../components/wall-clock.ts';
import { ClosureList } from './ClosureList.tsx';
import { type LocationDetails, useLocation, useUpdateLocation } from './location-queries.ts';
import { OpeningHours } from './OpeningHours.tsx';
import { ResourceList } from './ResourceList.tsx';

export function LocationPage() {
  const { locationId = '' } = useParams();
  const canChange = can(useStaffViewer(), 'spaces:write');
  const now = useNow(60);
  const location = useLocation(locationId, toLocalDate(now, 'UTC'), canChange);
  return (
    <>
      <BackLink to="/spaces">All locations</BackLink>
      <QueryBoundary query={location} height={400}>
        {(location) => (
          <>
            <PageHeader
              title={location.name}
              description="Settings, opening hours and resources of this location."
            />
            <Stack>
              <LocationDetailsCard location={location} canChange={canChange} />
              <OpeningHours key={location.id} location={location} canChange={canChange} />
              <ClosureList
                locationId={location.id}
                closures={location.closures}
                today={toLocalDate(now, location.timeZone)}
                canChange={canChange}
              />
              <ResourceList location={location} canChange={canChange} />
            </Stack>
          </>
        )}
      </QueryBoundary>
    </>
  );
}

interface LocationDetailsCardProps {
  location: LocationDetails;
  canChange: boolean;
}

export function LocationDetailsCard({ location, canChange }: LocationDetailsCardProps) {
  const editing = useDialog();
  const { name, slug, address, timeZone, capacity, hostEmail } = location;
  return (
    <SectionCard
      title="Details"
      action={
        canChange && (
          <Button size="xs" variant="default" onClick={() => editing.open(true)}>
            Edit details
          </Button>
        )
      }
    >
      <DescriptionList
        items={[
          ['Name', name],
          ['Short name', slug],
          ['Address', address],
          ['Time zone', timeZone],
          ['Capacity', capacity === null ? null : `${capacity} people`],
          ['Kiosk', formatKioskLookup(location)],
          ['Guest notifications', hostEmail],
        ]}
      />
      <Dialog state={editing} title={`Edit ${name}`}>
        {() => <EditLocationForm location={location} onClose={editing.close} />}
      </Dialog>
    </SectionCard>
  );
}

function formatKioskLookup({ lookupNames, lookupNeedsKiosk }: LocationDetails): string {
  if (!lookupNames) return 'Asks for an email address or code';
  return lookupNeedsKiosk ? 'Finds members by name if paired' : 'Finds members by name';
}

interface EditLocationFormProps {
  location: LocationDetails;
  onClose: () => void;
}

export function EditLocationForm({ location, onClose }: EditLocationFormProps) {
  const update = useUpdateLocation(location.id, () => {
    notifySuccess('Location saved.');
    onClose();
  });
  const form = useForm({
    initialValues: {
      name: location.name,
      address: location.address ?? '',
      timeZone: location.timeZone,
      capacity: (location.capacity ?? '') as number | string,
      hostEmail: location.hostEmail ?? '',
      lookupNames: location.lookupNames,
      lookupNeedsKiosk: location.lookupNeedsKiosk,
    },
    validate: { name: isNotEmpty('Enter a name') },
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ address, capacity, hostEmail, ...input }) =>
        update.mutate({
          ...input,
          address: address.trim() || null,
          capacity: capacity === '' ? null : Number(capacity),
          hostEmail: hostEmail.trim() || null,
        }),
      )}
    >
      <Stack>
        <FormError error={update.error} />
        <TextInput label="Name" maxLength={200} data-autofocus {...form.getInputProps('name')} />
        <TextInput label="Address (optional)" maxLength={500} {...form.getInputProps('address')} />
        <Select
          label="Time zone"
          data={[...new Set([location.timeZone, ...TIME_ZONES])]}
          searchable
          limit={200}
          allowDeselect={false}
          nothingFoundMessage="No matching time zone"
          {...form.getInputProps('timeZone')}
        />
        {form.values.timeZone !== location.timeZone && (
          <Alert color="orange" role="status">
            Existing bookings keep their exact moment, so their local times change.
          </Alert>
        )}
        <NumberInput
          label="Capacity (optional)"
          description="Maximum number of people"
          min={1}
          allowDecimal={false}
          {...form.getInputProps('capacity')}
        />
        <Switch
          label="Find members by name at the kiosk"
          description="Turn off to require a full email address or code and hide names."
          {...form.getInputProps('lookupNames', { type: 'checkbox' })}
        />
        {form.values.lookupNames && (
          <Switch
            label="Only at paired kiosks"
            description="Pair tablets under Displays. Other kiosks ask for an email address or code."
            {...form.getInputProps('lookupNeedsKiosk', { type: 'checkbox' })}
          />
        )}
        <TextInput
          type="email"
          label="Guest notification email (optional)"
          description="Notified about guests without a host"
          maxLength={320}
          {...form.getInputProps('hostEmail')}
        />
      </Stack>
      <DialogActions label="Save location" onCancel={onClose} pending={update.isPending} />
    </form>
  );
}
