import { Select, SimpleGrid, Stack } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { DayField } from '../../my/book/DayField.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { IconDoor } from '../../ui/icons.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { zoneWords } from '../../ui/place-words.ts';
import { useNow } from '../../ui/use-now.ts';
import { dayAt, isDay } from '../../ui/wall-clock.ts';
import { PassForm } from './PassForm.tsx';
import { type OfferedPass, useOfferedPasses } from './queries.ts';

export function Component() {
  const [query] = useSearchParams();
  const day = query.get('day');
  const types = useOfferedPasses(day !== null && isDay(day) ? day : null);
  return (
    <>
      <PageHeader
        title="Day passes"
        description="Come and work here for a day. You need not be a member."
      />
      <Loaded query={types} height={420}>
        {(types) =>
          types.length === 0 ? (
            <EmptyState icon={IconDoor} title="No day passes are sold here">
              Ask at the front desk, or see what is coming under Events.
            </EmptyState>
          ) : (
            <At types={types} />
          )
        }
      </Loaded>
    </>
  );
}

function At({ types }: { types: OfferedPass[] }) {
  const [query, setQuery] = useSearchParams();
  const places = [...new Map(types.map(({ location }) => [location.id, location])).values()];
  const place = places.find(({ id }) => id === query.get('place')) ?? places[0];
  const now = useNow(60);
  if (place === undefined) return null;
  const today = dayAt(now, place.timeZone);
  const wanted = query.get('day');
  const day = wanted !== null && isDay(wanted) && wanted > today ? wanted : today;
  const change = (name: string, value: string) =>
    setQuery(
      (current) => {
        current.set(name, value);
        return current;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, xs: places.length > 1 ? 2 : 1 }} spacing="sm">
        {places.length > 1 && (
          <Select
            label="Location"
            description={zoneWords(place.timeZone)}
            data={places.map(({ id, name }) => ({ value: id, label: name }))}
            value={place.id}
            allowDeselect={false}
            onChange={(id) => id && change('place', id)}
          />
        )}
        <DayField today={today} day={day} onChange={(day) => change('day', day)} />
      </SimpleGrid>
      <PassForm
        key={place.id}
        types={types.filter(({ location }) => location.id === place.id)}
        day={day}
      />
    </Stack>
  );
}
