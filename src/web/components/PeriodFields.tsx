import { SimpleGrid, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';

interface InputProps {
  label: string;
  /** As a datetime-local input holds it, in the zone that the hint names. */
  value?: string;
  error?: ReactNode;
}

/** Start and end of a period, with a hint about their time zone. */
export const PeriodFields = ({
  start,
  end,
  hint,
}: {
  start: InputProps;
  end: InputProps;
  hint: string;
}) => (
  <div>
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput type="datetime-local" {...start} />
      <TextInput type="datetime-local" {...end} />
    </SimpleGrid>
    <Text size="xs" c="dimmed" mt={4}>
      {hint}
    </Text>
  </div>
);
