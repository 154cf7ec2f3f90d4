import { Radio, Stack } from '@mantine/core';
import type { SeriesScope } from '../../gql/graphql.ts';
import { SCOPES } from './booking-words.ts';
import type { Booking } from './queries.ts';
import { useMeant } from './series-queries.ts';

interface Props {
  label: string;
  /** Where it stands alone there is nothing to choose. */
  booking: Booking;
  value: SeriesScope;
  onChange: (scope: SeriesScope) => void;
}

/** Says of each choice how many bookings are meant. */
export function SeriesScopeField({ label, booking, value, onChange }: Props) {
  const { data: meant } = useMeant(booking);
  if (booking.seriesId === null) return null;
  return (
    <Radio.Group label={label} value={value} onChange={(scope) => onChange(scope as SeriesScope)}>
      <Stack gap="xs" mt="xs">
        {SCOPES.map(({ value, label }) => (
          <Radio
            key={value}
            value={value}
            label={meant && value !== 'THIS' ? `${label}: ${meant[value]} in all` : label}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
