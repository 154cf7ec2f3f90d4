import { List, Select, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { MoneyFields } from '../../ui/MoneyFields.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { BenefitFields } from './BenefitFields.tsx';
import { benefitsOf, inputOf, type PlanValues, validatePlan, valuesOf } from './plan-form.ts';
import { benefitWords, INTERVALS } from './plan-words.ts';
import { type Plan, useSavePlan } from './queries.ts';

interface Props {
  /** The one to change; without it, a new one is made. */
  plan?: Plan;
  onClose: () => void;
}

export function PlanForm({ plan, onClose }: Props) {
  const save = useSavePlan(({ name }) => {
    notifyDone(`The plan ${name} is saved.`);
    onClose();
  });
  const form = useForm<PlanValues>({ initialValues: valuesOf(plan), validate: validatePlan });
  const submit = form.onSubmit((values) => {
    const input = inputOf(values);
    if (plan) save.mutate({ id: plan.id, update: { ...input, active: values.active } });
    else save.mutate({ create: input });
  });
  const { price, currency, benefits } = form.values;
  const inWords = benefitsOf(benefits).map(benefitWords);
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormFailure error={save.error} />
        <TextInput
          label="Name"
          placeholder="Resident"
          maxLength={200}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <MoneyFields
            label="Price"
            price={price}
            currency={currency}
            error={form.errors.price ?? form.errors.currency}
            onChange={(change) => form.setValues(change)}
          />
          <Select
            label="For each"
            data={INTERVALS.map(({ value, label }) => ({ value, label: label.slice(2) }))}
            allowDeselect={false}
            {...form.getInputProps('interval')}
          />
        </SimpleGrid>
        <BenefitFields form={form} />
        <div role="status">
          <Text size="sm" fw={600}>
            In words
          </Text>
          <List size="sm">
            {inWords.length === 0 && <List.Item>Everything at the public price</List.Item>}
            {inWords.map((words) => (
              <List.Item key={words}>{words}</List.Item>
            ))}
          </List>
        </div>
        {plan && (
          <Switch
            label="Offered"
            description="Off: no new membership begins on it; those that run go on."
            {...form.getInputProps('active', { type: 'checkbox' })}
          />
        )}
      </Stack>
      <DialogActions
        label={plan ? 'Save plan' : 'Create plan'}
        onCancel={onClose}
        pending={save.isPending}
      />
    </form>
  );
}
