import { Select, SimpleGrid, Stack } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { DayField } from '../../components/DayField.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { formatTimeZone } from '../../components/format-local-time.ts';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { useNow } from '../../components/use-now.ts';
import { isCalendarDate, toLocalDate } from '../../components/wall-clock.ts';
import { IconDoor } from '../../ui/icons.tsx';
import { DayPassOrderForm } from './DayPassOrderForm.tsx';
import { type OfferedPass, useOfferedPasses } from './queries.ts';

export function Component() {
  const [query] = useSearchParams();
  const day = query.get('day');
  const types = useOfferedPasses(day !== null && isCalendarDate(day) ? day : null);
  return (
    <>
      <PageHeader
        title="Day passes"
        description="Come and work here for a day. You need not be a member."
      />
      <QueryBoundary query={types} height={420}>
        {(types) =>
          types.length === 0 ? (
            <EmptyState icon={IconDoor} title="No day passes are sold here">
              Ask at the front desk, or see what is coming under Events.
            </EmptyState>
          ) : (
            <DayPassOffer types={types} />
          )
        }
      </QueryBoundary>
    </>
  );
}

function DayPassOffer({ types }: { types: OfferedPass[] }) {
  const [query, setQuery] = useSearchParams();
  const places = [...new Map(types.map(({ location }) => [location.id, location])).values()];
  const place = places.find(({ id }) => id === query.get('place')) ?? places[0];
  const now = useNow(60);
  if (place === undefined) return null;
  const today = toLocalDate(now, place.timeZone);
  const wanted = query.get('day');
  const day = wanted !== null && isCalendarDate(wanted) && wanted > today ? wanted : today;
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
            description={formatTimeZone(place.timeZone)}
            data={places.map(({ id, name }) => ({ value: id, label: name }))}
            value={place.id}
            allowDeselect={false}
            onChange={(id) => id && change('place', id)}
          />
        )}
        <DayField today={today} day={day} onChange={(day) => change('day', day)} />
      </SimpleGrid>
      <DayPassOrderForm
        key={place.id}
        types={types.filter(({ location }) => location.id === place.id)}
        day={day}
      />
    </Stack>
  );
}
