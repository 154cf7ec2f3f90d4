import { SimpleGrid, Text, TextInput } from '@mantine/core';
import { zoneWords } from '../../ui/place-words.ts';
import { type EventFormState, withStartDay } from './event-form.ts';

interface Props {
  form: EventFormState;
  /** Of the location, once there is one. */
  timeZone: string | undefined;
}

/** By the clocks of the location. */
export const EventTimes = ({ form, timeZone }: Props) => (
  <div>
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <SimpleGrid cols={2} spacing="sm">
        <TextInput
          type="date"
          label="Begins on"
          {...form.getInputProps('startDay')}
          onChange={({ currentTarget: { value } }) =>
            form.setValues(withStartDay(form.values, value))
          }
        />
        <TextInput type="time" label="Begins at" {...form.getInputProps('startTime')} />
      </SimpleGrid>
      <SimpleGrid cols={2} spacing="sm">
        <TextInput type="date" label="Ends on" {...form.getInputProps('endDay')} />
        <TextInput type="time" label="Ends at" {...form.getInputProps('endTime')} />
      </SimpleGrid>
    </SimpleGrid>
    {timeZone && (
      <Text size="xs" c="dimmed" mt={4}>
        {zoneWords(timeZone)}, by the clocks of the location.
      </Text>
    )}
  </div>
);
