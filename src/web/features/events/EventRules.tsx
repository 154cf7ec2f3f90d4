import { NumberInput, Radio, SimpleGrid, Stack } from '@mantine/core';
import { OrderLimitFields } from '../../ui/OrderLimitFields.tsx';
import type { EventFormState } from './event-form.ts';
import { ticketsWords, VISIBILITIES } from './event-words.ts';

interface Props {
  form: EventFormState;
  /** Tickets that are sold or held. */
  taken: number;
}

/** Who sees it, how many come, until when buyers may change their minds, and how orders are limited. */
export const EventRules = ({ form, taken }: Props) => (
  <>
    <Radio.Group label="Who sees it" {...form.getInputProps('visibility')}>
      <Stack gap="xs" mt="xs">
        {VISIBILITIES.map(({ value, label, description }) => (
          <Radio key={value} value={value} label={label} description={description} />
        ))}
      </Stack>
    </Radio.Group>
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <NumberInput
        label="Capacity (optional)"
        description={
          taken > 0
            ? `All tickets together; ${ticketsWords(taken)} sold or held`
            : 'All tickets together'
        }
        placeholder="no limit"
        min={1}
        max={1_000_000}
        allowDecimal={false}
        {...form.getInputProps('capacity')}
      />
      <NumberInput
        label="Money back until (optional)"
        description="Buyers cancel by themselves until then"
        placeholder="never"
        suffix=" h before"
        min={0}
        max={366 * 24}
        allowDecimal={false}
        {...form.getInputProps('refundHours')}
      />
    </SimpleGrid>
    <OrderLimitFields
      values={form.values.limits}
      onChange={(change) => form.setFieldValue('limits', { ...form.values.limits, ...change })}
    />
  </>
);
