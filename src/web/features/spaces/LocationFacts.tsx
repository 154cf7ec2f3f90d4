import { Button } from '@mantine/core';
import { Dialog } from '../../ui/Dialog.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { EditLocation } from './EditLocation.tsx';
import type { LocationDetails } from './location-queries.ts';

interface Props {
  location: LocationDetails;
  mayChange: boolean;
}

export function LocationFacts({ location, mayChange }: Props) {
  const editing = useDialog();
  const { name, slug, address, timeZone, capacity, hostEmail } = location;
  return (
    <Panel
      title="Details"
      action={
        mayChange && (
          <Button size="xs" variant="default" onClick={() => editing.open(true)}>
            Edit details
          </Button>
        )
      }
    >
      <Facts
        of={[
          ['Name', name],
          ['Short name', slug],
          ['Address', address],
          ['Time zone', timeZone],
          ['Capacity', capacity === null ? null : `${capacity} people`],
          ['Kiosk', kioskWords(location)],
          ['Told of arrivals', hostEmail],
        ]}
      />
      <Dialog state={editing} title={`Edit ${name}`}>
        {() => <EditLocation location={location} onClose={editing.close} />}
      </Dialog>
    </Panel>
  );
}

function kioskWords({ lookupNames, lookupNeedsKiosk }: LocationDetails): string {
  if (!lookupNames) return 'Asks for the address or a code';
  return lookupNeedsKiosk ? 'Finds members by name where it is paired' : 'Finds members by name';
}
