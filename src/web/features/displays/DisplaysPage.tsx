import { Button, Select } from '@mantine/core';
import { useState } from 'react';
import { may, useStaff } from '../../session/viewer.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { IconPlus } from '../../ui/icons.tsx';
import { PagedList } from '../../ui/PagedList.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { CreateLocation } from '../spaces/CreateLocation.tsx';
import { useLocations } from '../spaces/queries.ts';
import { CreateDisplay } from './CreateDisplay.tsx';
import { DisplaysTable } from './DisplaysTable.tsx';
import { NoDisplays } from './NoDisplays.tsx';
import { type Display, useDisplays } from './queries.ts';
import { RevokeDisplay } from './RevokeDisplay.tsx';

export function DisplaysPage() {
  const viewer = useStaff();
  const mayChange = may(viewer, 'displays:write');
  const [locationId, setLocationId] = useState<string | null>(null);
  const locations = useLocations();
  const pages = useDisplays(locationId);
  const creating = useDialog();
  const locating = useDialog();
  const revoking = useDialog<Display>();
  const isUsed = (pages.rows?.length ?? 0) > 0 || locationId !== null;
  const add = mayChange && (
    <Button leftSection={<IconPlus />} onClick={() => creating.open(true)}>
      Add a display
    </Button>
  );
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
          <DisplaysTable displays={displays} onRevoke={mayChange ? revoking.open : undefined} />
        )}
      </PagedList>
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
