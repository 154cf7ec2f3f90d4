import { Button, Group, Select, Stack } from '@mantine/core';
import { IconDeviceDesktop, IconMapPin, IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { InfiniteList } from '../../components/InfiniteList.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { CreateLocationForm } from '../spaces/CreateLocationForm.tsx';
import { useLocationChoices } from '../spaces/queries.ts';
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
  const [locationId, setLocationId] = useState<string | null>(null);
  const locations = useLocationChoices();
  const pages = useDisplays(locationId);
  const creating = useDialog();
  const pairing = useDialog();
  const locating = useDialog();
  const looking = useDialog<string>();
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
  const instead = (open: (display: Display) => void) => (display: Display) => {
    looking.close();
    open(display);
  };
  return (
    <>
      <PageHeader
        title="Displays"
        description="The screens on your walls and their status. This list updates automatically."
        action={isUsed && add}
      />
      {isUsed && (locations.data?.length ?? 0) > 1 && (
        <Select
          label="Location"
          data={[
            { value: '', label: 'All locations' },
            ...(locations.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []),
          ]}
          value={locationId ?? ''}
          onChange={(id) => setLocationId(id || null)}
          allowDeselect={false}
          maw={280}
          mb="md"
        />
      )}
      <InfiniteList
        pages={pages}
        empty={
          <NoDisplays
            isFiltered={locationId !== null}
            hasLocations={locations.data && locations.data.length > 0}
            add={add}
            onAddLocation={() => locating.open(true)}
          />
        }
      >
        {(displays) => (
          <DisplaysTable
            displays={displays}
            onDetails={({ id }) => looking.open(id)}
            onRevoke={canChange ? revoking.open : undefined}
          />
        )}
      </InfiniteList>
      {(locations.data?.length ?? 0) > 0 && (
        <Stack mt="lg">
          <Announcements locationId={locationId} canChange={canChange} />
        </Stack>
      )}
      <Dialog state={pairing} title="Pair a screen">
        {() => <PairDisplayForm locationId={locationId} onClose={pairing.close} />}
      </Dialog>
      <Dialog
        state={looking}
        title={pages.rows?.find(({ id }) => id === looking.subject)?.name ?? 'Display'}
        size="lg"
      >
        {(id) => {
          const display = pages.rows?.find((row) => row.id === id);
          return (
            display && (
              <DisplayDetails
                display={display}
                canChange={canChange}
                onEdit={instead(editing.open)}
                onRotate={instead(rotating.open)}
                onReplace={instead(replacing.open)}
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
      <Dialog state={locating} title="Add a location">
        {() => <CreateLocationForm onCreated={locating.close} onCancel={locating.close} />}
      </Dialog>
      <Dialog state={revoking} title="Revoke display?">
        {(display) => <RevokeDisplayConfirmation display={display} onClose={revoking.close} />}
      </Dialog>
    </>
  );
}

interface Props {
  isFiltered: boolean;
  /** Undefined while loading. */
  hasLocations: boolean | undefined;
  add: ReactNode;
  onAddLocation: () => void;
}

export function NoDisplays({ isFiltered, hasLocations, add, onAddLocation }: Props) {
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
        ? 'Open the page /display of this service on a screen, then enter the pairing code here. The screen can show a room, events or a welcome page.'
        : 'An owner or manager can add one.'}
    </EmptyState>
  );
}
