import { NumberInput, SimpleGrid, Switch, Title } from '@mantine/core';
import type { ResourceFormState, ResourceValues } from './resource-form.ts';

interface Rule {
  name: keyof ResourceValues;
  label: string;
  suffix: string;
  /** What it means for those who book. */
  description: string;
  min?: number;
}

const RULES: Rule[] = [
  {
    name: 'gridMinutes',
    label: 'Grid',
    suffix: ' min',
    description: 'Bookings begin on it, counted from midnight, and last multiples of it',
    min: 1,
  },
  {
    name: 'bufferMinutes',
    label: 'Buffer',
    suffix: ' min',
    description: 'Kept free after each booking, to air and tidy up',
  },
  {
    name: 'minMinutes',
    label: 'Shortest booking',
    suffix: ' min',
    description: 'Nobody books for less',
    min: 1,
  },
  {
    name: 'maxMinutes',
    label: 'Longest booking',
    suffix: ' min',
    description: 'Nobody books for more at once',
    min: 1,
  },
  {
    name: 'noticeMinutes',
    label: 'Notice',
    suffix: ' min',
    description: 'Booked at least so long before it begins; 0: until the last moment',
  },
  {
    name: 'daysAhead',
    label: 'Days ahead',
    suffix: ' days',
    description: 'Booked at most so many days before',
  },
  {
    name: 'freeCancellationHours',
    label: 'Free cancellation',
    suffix: ' h',
    description: 'Until so many hours before the start; later the price stays due',
  },
  {
    name: 'noShowMinutes',
    label: 'No-show',
    suffix: ' min',
    description: 'Who has not come by then loses the booking; empty: nobody does',
    min: 1,
  },
];

export const ResourceRules = ({ form }: { form: ResourceFormState }) => (
  <>
    <Title order={3} size="h5">
      Rules
    </Title>
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {RULES.map(({ name, min = 0, ...rule }) => (
        <NumberInput
          key={name}
          {...rule}
          min={min}
          allowDecimal={false}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.getInputProps(name)}
        />
      ))}
    </SimpleGrid>
    <Switch
      label="Needs approval"
      description="Members’ bookings wait until staff approves them; the slot is kept meanwhile"
      {...form.getInputProps('requiresApproval', { type: 'checkbox' })}
    />
  </>
);
