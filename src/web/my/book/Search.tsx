import { Stack } from '@mantine/core';
import type { Location } from '../../features/spaces/queries.ts';
import type { ResourceDetails } from '../../features/spaces/resource-queries.ts';
import { RESOURCE_TYPES } from '../../features/spaces/resource-types.ts';
import type { ResourceType } from '../../gql/graphql.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { IconDoor } from '../../ui/icons.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { useNow } from '../../ui/use-now.ts';
import { dayAt } from '../../ui/wall-clock.ts';
import { BookThis, type Choice } from './BookThis.tsx';
import { FreeList } from './FreeList.tsx';
import { lengthOf, lengthsFor } from './lengths.ts';
import { WishForm } from './WishForm.tsx';
import type { Wish } from './wish.ts';

interface Props {
  locations: Location[];
  location: Location;
  resources: ResourceDetails[];
  wish: Wish;
  change: (changes: Partial<Wish>) => void;
}

export function Search({ locations, location, resources, wish, change }: Props) {
  const today = dayAt(useNow(60), location.timeZone);
  const booking = useDialog<Choice>();
  const types = RESOURCE_TYPES.filter(({ value }) => resources.some(({ type }) => type === value));
  const type: ResourceType =
    types.find(({ value }) => value === wish.type)?.value ?? types[0]?.value ?? 'ROOM';
  const ofType = resources.filter((resource) => resource.type === type);
  const lengths = lengthsFor(ofType);
  const given = {
    day: wish.day !== null && wish.day > today ? wish.day : today,
    minutes: lengthOf(wish.minutes, lengths),
    people: type === 'ROOM' ? (wish.people ?? 1) : 1,
    after: wish.after,
    type,
  };
  return (
    <Stack>
      <WishForm
        locations={locations}
        location={location}
        types={types}
        lengths={lengths}
        today={today}
        wish={given}
        change={change}
      />
      {resources.length === 0 ? (
        <EmptyState icon={IconDoor} title={`Nothing can be booked at ${location.name} yet`}>
          {locations.length > 1
            ? 'Choose another location above.'
            : 'The space has not said what it offers here. Ask at the front desk.'}
        </EmptyState>
      ) : (
        <FreeList
          location={location}
          resources={ofType}
          wish={given}
          onChoose={booking.open}
          onDay={(day) => change({ day })}
        />
      )}
      <Dialog state={booking} title="Book this?">
        {(choice) => <BookThis choice={choice} location={location} onClose={booking.close} />}
      </Dialog>
    </Stack>
  );
}
