import { useLocalStorage } from '@mantine/hooks';
import { type Location, useLocations } from '../../features/spaces/queries.ts';
import { useResourceList } from '../../features/spaces/resource-queries.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { IconDoor } from '../../ui/icons.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Paused } from '../Paused.tsx';
import { Search } from './Search.tsx';
import { useWish } from './wish.ts';

export function Component() {
  const locations = useLocations();
  return (
    <>
      <PageHeader title="Book" description="Say what you need, and choose one of the free times." />
      <Paused />
      <Loaded query={locations} height={320}>
        {(locations) => (locations.length === 0 ? <NothingHere /> : <At locations={locations} />)}
      </Loaded>
    </>
  );
}

/** Most people go to one place: the one that was chosen last is offered first. */
function At({ locations }: { locations: Location[] }) {
  const [wish, change] = useWish();
  const [usual, setUsual] = useLocalStorage<string | null>({
    key: 'foyer-my-place',
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const location =
    locations.find(({ id }) => id === wish.place) ??
    locations.find(({ id }) => id === usual) ??
    (locations[0] as Location);
  const resources = useResourceList(location.id);
  return (
    <Loaded query={resources} height={320}>
      {(all) => (
        <Search
          locations={locations}
          location={location}
          resources={all.filter(({ active }) => active)}
          wish={wish}
          change={(changes) => {
            if (changes.place) setUsual(changes.place);
            change(changes);
          }}
        />
      )}
    </Loaded>
  );
}

const NothingHere = () => (
  <EmptyState icon={IconDoor} title="Nothing can be booked yet">
    The space has not said what it offers. Ask at the front desk.
  </EmptyState>
);
