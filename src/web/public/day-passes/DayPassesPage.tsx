import { Select, SimpleGrid, Stack } from '@mantine/core';
import { IconDoor } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { useNow } from '../../components/browser-time.tsx';
import { DayField } from '../../components/DayField.tsx';
import { DescriptionList, EmptyState, PageHeader } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { useUrlQuery } from '../../components/url-query.ts';
import { isCalendarDate } from '../../components/wall-clock.ts';
import { formatOpenDay, formatTimeZone } from '../../language/page-dates.ts';
import { getText } from '../../language/page-texts.ts';
import { DayPassOrderForm } from './DayPassOrderForm.tsx';
import { type OfferedPass, useOfferedPasses } from './queries.ts';

export function Component() {
  const [query] = useSearchParams();
  const day = query.get('day');
  const types = useOfferedPasses(day !== null && isCalendarDate(day) ? day : null);
  return (
    <>
      <PageHeader title={getText('page.dayPasses')} description={getText('pass.intro')} />
      <QueryBoundary query={types} height={420}>
        {(types) =>
          types.length === 0 ? (
            <EmptyState icon={IconDoor} title={getText('pass.none')}>
              {getText('pass.noneHelp')}
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
  const [query, change] = useUrlQuery();
  const locations = [...new Map(types.map(({ location }) => [location.id, location])).values()];
  const location = locations.find(({ id }) => id === query.get('location')) ?? locations[0];
  const now = useNow(60);
  const today = toLocalDate(now, location?.timeZone ?? 'UTC');
  const requested = query.get('day');
  const isFuture = requested !== null && isCalendarDate(requested) && requested > today;
  const day = isFuture ? requested : today;
  const isIgnored = requested !== null && requested !== day;
  // Otherwise the stock would be that of a day in the past.
  useEffect(() => {
    if (isIgnored) change({ day: null });
  });
  if (location === undefined) return null;
  const stock = types.find((type) => type.location.id === location.id)?.stock;
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, xs: locations.length > 1 ? 2 : 1 }} spacing="sm">
        {locations.length > 1 && (
          <Select
            label={getText('pass.location')}
            description={formatTimeZone(location.timeZone)}
            data={locations.map(({ id, name }) => ({ value: id, label: name }))}
            value={location.id}
            allowDeselect={false}
            onChange={(id) => id && change({ location: id })}
          />
        )}
        <DayField today={today} day={day} onChange={(day) => change({ day })} />
      </SimpleGrid>
      <DescriptionList
        items={[
          [getText('event.where'), [location.name, location.address].filter(Boolean).join(', ')],
          [
            getText('event.when'),
            formatOpenDay(day, stock?.date === day ? stock.openingTimes : null),
          ],
        ]}
      />
      <DayPassOrderForm
        key={location.id}
        types={types.filter((type) => type.location.id === location.id)}
        day={day}
      />
    </Stack>
  );
}
