import { Anchor, Button, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { toServiceUrl } from '../../api/urls.ts';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { Confirmation, Dialog, useDialog } from '../../components/Dialog.tsx';
import { readSnapshot, readToken } from '../../display/device-storage.ts';
import { usePairThisBrowser } from '../displays/queries.ts';

interface Location {
  id: string;
  name: string;
}

/**
 * Opens a kiosk in this browser. It is paired first, so that it admits only people whom the rules admit. Staff who cannot pair screens
 * open one that only reports people to the front desk.
 */
export function OpenKiosk({ locations }: { locations: Location[] }) {
  const pairing = useDialog();
  const viewer = useStaffViewer();
  const canPair =
    can(viewer, 'displays:write') && can(viewer, 'check-ins:write') && locations.length > 0;
  const [only, other] = locations;
  if (!canPair || isKioskOf(locations))
    return (
      <KioskLink
        path={isKioskOf(locations) ? 'display' : other || !only ? 'kiosk' : `kiosk/${only.id}`}
      />
    );
  return (
    <>
      <Button variant="subtle" size="compact-sm" onClick={() => pairing.open(true)}>
        Open kiosk
      </Button>
      <Dialog state={pairing} title="Open kiosk">
        {() => <PairKiosk locations={locations} onClose={pairing.close} />}
      </Dialog>
    </>
  );
}

/** Whether this browser is paired as a kiosk of one of the locations. */
function isKioskOf(locations: Location[]): boolean {
  const device = readToken() === null ? undefined : readSnapshot()?.state.device;
  return device?.kind === 'kiosk' && locations.some(({ id }) => id === device.location.id);
}

function PairKiosk({ locations, onClose }: { locations: Location[]; onClose: () => void }) {
  const [locationId, setLocationId] = useState(locations[0]?.id ?? '');
  const [isPaired, setIsPaired] = useState(false);
  const pair = usePairThisBrowser(() => setIsPaired(true));
  const location = locations.find(({ id }) => id === locationId);
  if (isPaired)
    return (
      <Stack gap="sm">
        <Text size="sm">
          This browser is now a kiosk. To remove it, open Displays. Sign out before you leave it to
          guests.
        </Text>
        <KioskLink path="display" onClick={onClose} />
      </Stack>
    );
  return (
    <Confirmation
      label="Pair this browser"
      isDestructive={false}
      pending={pair.isPending}
      error={pair.error}
      onCancel={onClose}
      disabled={!location}
      onConfirm={() => location && pair.mutate({ ...location, name: `Kiosk at ${location.name}` })}
    >
      <Stack gap="sm">
        <Text size="sm">
          This browser becomes a kiosk where people check in by name or code. If it is a display
          already, the kiosk replaces it. With the first kiosk of a location, only paired kiosks and
          staff can look people up there.
        </Text>
        {locations.length > 1 && (
          <Select
            label="Location"
            data={locations.map(({ id, name }) => ({ value: id, label: name }))}
            value={locationId}
            onChange={(value) => setLocationId(value ?? '')}
            allowDeselect={false}
          />
        )}
      </Stack>
    </Confirmation>
  );
}

const KioskLink = ({ path, onClick }: { path: string; onClick?: () => void }) => (
  <Anchor
    href={toServiceUrl(path)}
    target="_blank"
    rel="noreferrer"
    size="sm"
    {...(onClick && { onClick })}
  >
    Open kiosk
  </Anchor>
);
