import { Box, Button, Group, Stack } from '@mantine/core';
import { IconDeviceDesktop, IconMapPin, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { toServiceUrl } from '../../api/urls.ts';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { LocationFilter } from '../../components/ListFilters.tsx';
import { EmptyState, PageHeader } from '../../components/PageLayout.tsx';
import { InfiniteList } from '../../components/QueryBoundary.tsx';
import { CreateLocationForm } from '../spaces/LocationForms.tsx';
import { Announcements } from './Announcements.tsx';
import { DisplayDetails } from './DisplayDetails.tsx';
import {
  EditDisplayForm,
  ReplaceScreenForm,
  RevokeDisplayConfirmation,
  RotateDisplayTokenForm,
} from './DisplayDialogs.tsx';
import { DisplaysTable } from './DisplaysTable.tsx';
import { CreateDisplayForm, PairDisplayForm } from './NewDisplayForms.tsx';
import { type Display, useDisplays } from './queries.ts';

export function DisplaysPage() {
  const viewer = useStaffViewer();
  const canChange = can(viewer, 'displays:write');
  const [searchParams, setSearchParams] = useSearchParams();
  const locationId = searchParams.get('location');
  const setLocationId = (id: string | null) =>
    setSearchParams(id === null ? {} : { location: id }, { replace: true });
  const pages = useDisplays(locationId);
  const { locations, announcements } = pages.firstPage ?? {};
  const creating = useDialog();
  const pairing = useDialog();
  const addingLocation = useDialog();
  const viewing = useDialog<string>();
  const editing = useDialog<Display>();
  const rotating = useDialog<Display>();
  const replacing = useDialog<Display>();
  const revoking = useDialog<Display>();
  const isUsed = (pages.rows?.length ?? 0) > 0 || locationId !== null;
  const add = canChange && (
    <Group gap="sm">
      <Button
        variant="default"
        leftSection={<IconPlus size={18} />}
        onClick={() => creating.open(true)}
      >
        Add a display
      </Button>
      <Button leftSection={<IconDeviceDesktop size={18} />} onClick={() => pairing.open(true)}>
        Pair a screen
      </Button>
    </Group>
  );
  const switchTo = (open: (display: Display) => void) => (display: Display) => {
    viewing.close();
    open(display);
  };
  return (
    <>
      <PageHeader
        title="Displays"
        description="The screens in your space and their status. This list updates automatically."
        action={isUsed && add}
      />
      {isUsed && (locations?.length ?? 0) > 1 && (
        <Box mb="md">
          <LocationFilter locations={locations} value={locationId} onChange={setLocationId} />
        </Box>
      )}
      <InfiniteList
        pages={pages}
        empty={
          <NoDisplays
            isFiltered={locationId !== null}
            hasLocations={locations && locations.length > 0}
            add={add}
            onAddLocation={() => addingLocation.open(true)}
          />
        }
      >
        {(displays) => (
          <DisplaysTable
            displays={displays}
            onDetails={({ id }) => viewing.open(id)}
            onRevoke={revoking.open}
          />
        )}
      </InfiniteList>
      {announcements && (locations?.length ?? 0) > 0 && (
        <Stack mt="lg">
          <Announcements
            locationId={locationId}
            announcements={announcements}
            canChange={canChange}
          />
        </Stack>
      )}
      <Dialog state={pairing} title="Pair a screen">
        {() => <PairDisplayForm locationId={locationId} onClose={pairing.close} />}
      </Dialog>
      <Dialog
        state={viewing}
        title={pages.rows?.find(({ id }) => id === viewing.subject)?.name ?? 'Display'}
        size="lg"
      >
        {(id) => {
          const display = pages.rows?.find((row) => row.id === id);
          return (
            display && (
              <DisplayDetails
                display={display}
                onEdit={switchTo(editing.open)}
                onRotate={switchTo(rotating.open)}
                onReplace={switchTo(replacing.open)}
              />
            )
          );
        }}
      </Dialog>
      <Dialog state={editing} title={`Edit ${editing.subject?.name ?? 'display'}`}>
        {(display) => <EditDisplayForm display={display} onClose={editing.close} />}
      </Dialog>
      <Dialog state={rotating} title="Rotate token">
        {(display) => <RotateDisplayTokenForm display={display} onClose={rotating.close} />}
      </Dialog>
      <Dialog state={replacing} title="Replace screen">
        {(display) => <ReplaceScreenForm display={display} onClose={replacing.close} />}
      </Dialog>
      <Dialog state={creating} title="Add a display">
        {() => <CreateDisplayForm locationId={locationId} onClose={creating.close} />}
      </Dialog>
      <Dialog state={addingLocation} title="Add a location">
        {() => (
          <CreateLocationForm onCreated={addingLocation.close} onCancel={addingLocation.close} />
        )}
      </Dialog>
      <Dialog state={revoking} title="Revoke display?">
        {(display) => <RevokeDisplayConfirmation display={display} onClose={revoking.close} />}
      </Dialog>
    </>
  );
}

interface NoDisplaysProps {
  isFiltered: boolean;
  /** Undefined while loading. */
  hasLocations: boolean | undefined;
  add: ReactNode;
  onAddLocation: () => void;
}

function NoDisplays({ isFiltered, hasLocations, add, onAddLocation }: NoDisplaysProps) {
  const viewer = useStaffViewer();
  if (hasLocations === false && can(viewer, 'spaces:write')) {
    return (
      <EmptyState
        icon={IconMapPin}
        title="Add a location first"
        action={<Button onClick={onAddLocation}>Add a location</Button>}
      >
        Rooms, displays and events belong to a location, which has its own time zone.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={IconDeviceDesktop}
      title={isFiltered ? 'No displays at this location' : 'No displays yet'}
      action={isFiltered ? null : add}
    >
      {add
        ? `Open ${toServiceUrl('display')} on a screen, then enter its pairing code here. The screen can show a room, events or a welcome page.`
        : 'An owner or manager can add one.'}
    </EmptyState>
  );
}
