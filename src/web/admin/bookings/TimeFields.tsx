import { SimpleGrid, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { endsNextDay, type LocalTimes } from './booking-form-values.ts';

interface Props {
  times: LocalTimes;
  errors: { day?: ReactNode; from?: ReactNode; to?: ReactNode };
  onChange: (times: Partial<LocalTimes>) => void;
}

/** In the time zone of the location. */
export const TimeFields = ({ times, errors, onChange }: Props) => (
  <div>
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <TextInput
        type="date"
        label="Date"
        value={times.day}
        error={errors.day}
        onChange={({ currentTarget: { value } }) => onChange({ day: value })}
      />
      <SimpleGrid cols={2} spacing="sm">
        <TextInput
          type="time"
          label="From"
          value={times.from}
          error={errors.from}
          onChange={({ currentTarget: { value } }) => onChange({ from: value })}
        />
        <TextInput
          type="time"
          label="To"
          value={times.to}
          error={errors.to}
          onChange={({ currentTarget: { value } }) => onChange({ to: value })}
        />
      </SimpleGrid>
    </SimpleGrid>
    {endsNextDay(times) && (
      <Text size="xs" c="dimmed" mt={4}>
        Ends the next day.
      </Text>
    )}
  </div>
);
