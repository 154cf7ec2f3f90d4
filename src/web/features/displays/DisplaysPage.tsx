import { Button, Group, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { may, useStaff } from '../../session/viewer.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { IconPlus, IconScreen } from '../../ui/icons.tsx';
import { PagedList } from '../../ui/PagedList.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { CreateLocation } from '../spaces/CreateLocation.tsx';
import { useLocations } from '../spaces/queries.ts';
import { Announcements } from './announcements/Announcements.tsx';
import { CreateDisplay, PairDisplay } from './CreateDisplay.tsx';
import { DisplayDetails } from './DisplayDetails.tsx';
import { DisplaysTable } from './DisplaysTable.tsx';
import { EditDisplay } from './EditDisplay.tsx';
import { NoDisplays } from './NoDisplays.tsx';
import { type Display, useDisplays } from './queries.ts';
import { ReplaceScreen } from './ReplaceScreen.tsx';
import { RevokeDisplay } from './RevokeDisplay.tsx';
import { RotateDisplay } from './RotateDisplay.tsx';

export function DisplaysPage() {
  const viewer = useStaff();
  const mayChange = may(viewer, 'displays:write');
  const [locationId, setLocationId] = useState<string | null>(null);
  const locations = useLocations();
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
  const add = mayChange && (
    <Group gap="sm">
      <Button variant="default" leftSection={<IconPlus />} onClick={() => creating.open(true)}>
        Add a display
      </Button>
      <Button leftSection={<IconScreen />} onClick={() => pairing.open(true)}>
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
        description="The screens on your walls, and whether they are alive. This list keeps itself up to date."
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
      <PagedList
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
            onRevoke={mayChange ? revoking.open : undefined}
          />
        )}
      </PagedList>
      {(locations.data?.length ?? 0) > 0 && (
        <Stack mt="lg">
          <Announcements locationId={locationId} mayChange={mayChange} />
        </Stack>
      )}
      <Dialog state={pairing} title="Pair a screen">
        {() => <PairDisplay locationId={locationId} onClose={pairing.close} />}
      </Dialog>
      <Dialog
        state={looking}
        title={pages.rows?.find(({ id }) => id === looking.subject)?.name ?? 'Display'}
        size="lg"
      >
        {(id) => {
          const display = pages.rows?.find((one) => one.id === id);
          return (
            display && (
              <DisplayDetails
                display={display}
                mayChange={mayChange}
                onEdit={instead(editing.open)}
                onRotate={instead(rotating.open)}
                onReplace={instead(replacing.open)}
              />
            )
          );
        }}
      </Dialog>
      <Dialog state={editing} title={`Change ${editing.subject?.name ?? 'display'}`}>
        {(display) => <EditDisplay display={display} onClose={editing.close} />}
      </Dialog>
      <Dialog state={rotating} title="A new token">
        {(display) => <RotateDisplay display={display} onClose={rotating.close} />}
      </Dialog>
      <Dialog state={replacing} title="Replace the screen">
        {(display) => <ReplaceScreen display={display} onClose={replacing.close} />}
      </Dialog>
      <Dialog state={creating} title="Add a display">
        {() => <CreateDisplay locationId={locationId} onClose={creating.close} />}
      </Dialog>
      <Dialog state={locating} title="Add a location">
        {() => <CreateLocation onCreated={locating.close} onCancel={locating.close} />}
      </Dialog>
      <Dialog state={revoking} title="Revoke this display?">
        {(display) => <RevokeDisplay display={display} onClose={revoking.close} />}
      </Dialog>
    </>
  );
}
