import { Fieldset, NumberInput, SimpleGrid } from '@mantine/core';
import { RESOURCE_TYPES } from '../spaces/resource-types.ts';
import type { PlanFormState } from './plan-form.ts';

/** For each kind of thing that can be booked, by the calendar month. */
export const BenefitFields = ({ form }: { form: PlanFormState }) => (
  <>
    {RESOURCE_TYPES.map(({ value, plural }) => (
      <Fieldset key={value} legend={`${plural}, each month`} variant="default">
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <NumberInput
            label="Included"
            suffix=" h"
            min={0}
            allowDecimal={false}
            {...form.getInputProps(`benefits.${value}.includedHours`)}
          />
          <NumberInput
            label="Then off the price"
            suffix=" %"
            min={0}
            max={100}
            allowDecimal={false}
            {...form.getInputProps(`benefits.${value}.discountPercent`)}
          />
          <NumberInput
            label="At most"
            placeholder="no limit"
            suffix=" h"
            min={0}
            allowDecimal={false}
            {...form.getInputProps(`benefits.${value}.limitHours`)}
          />
        </SimpleGrid>
      </Fieldset>
    ))}
  </>
);
