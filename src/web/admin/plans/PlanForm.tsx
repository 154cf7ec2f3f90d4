import {
  Fieldset,
  List,
  NumberInput,
  Select,
  SimpleGrid,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { DialogForm } from '../../components/Dialog.tsx';
import {
  MoneyFields,
  type NumberInputValue,
  type PriceValues,
  priceValidators,
  toMoneyInput,
  toNumberOrNull,
  toPriceValues,
} from '../../components/FieldGroups.tsx';
import { notifySuccess } from '../../components/notify.ts';
import type { PlanInterval, ResourceType } from '../../gql/graphql.ts';
import { RESOURCE_TYPES } from '../spaces/resource-labels.ts';
import { formatBenefit, INTERVAL_OPTIONS } from './plan-labels.ts';
import { type Plan, useSavePlan } from './queries.ts';

interface Props {
  /** The plan to edit. Omit it to create one. */
  plan?: Plan;
  onClose: () => void;
}

export function PlanForm({ plan, onClose }: Props) {
  const save = useSavePlan(({ name }) => {
    notifySuccess(`Plan ${name} saved.`);
    onClose();
  });
  const form = useForm<PlanFormValues>({
    initialValues: toPlanFormValues(plan),
    validate: planValidators,
  });
  const submit = form.onSubmit((values) => {
    const input = toPlanInput(values);
    if (plan) save.mutate({ update: { id: plan.id, ...input, active: values.active } });
    else save.mutate({ create: input });
  });
  const { price, currency, benefits } = form.values;
  const summary = toBenefits(benefits).map(formatBenefit);
  return (
    <DialogForm
      label={plan ? 'Save plan' : 'Create plan'}
      onSubmit={submit}
      mutation={save}
      onCancel={onClose}
    >
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
          label="Billing period"
          data={INTERVAL_OPTIONS}
          allowDeselect={false}
          {...form.getInputProps('interval')}
        />
      </SimpleGrid>
      <BenefitFields form={form} />
      <div role="status">
        <Text size="sm" fw={600}>
          Summary
        </Text>
        <List size="sm">
          {summary.length === 0 && <List.Item>Public prices for everything</List.Item>}
          {summary.map((line) => (
            <List.Item key={line}>{line}</List.Item>
          ))}
        </List>
      </div>
      {plan && (
        <Switch
          label="Available"
          description="Turn off to stop new memberships. Current memberships continue."
          {...form.getInputProps('active', { type: 'checkbox' })}
        />
      )}
    </DialogForm>
  );
}

/** Benefits per resource type and calendar month. */
const BenefitFields = ({ form }: { form: PlanFormState }) => (
  <>
    {RESOURCE_TYPES.map(({ value, plural }) => (
      <Fieldset key={value} legend={`${plural} per month`} variant="default">
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <NumberInput
            label="Included"
            suffix=" h"
            min={0}
            allowDecimal={false}
            {...form.getInputProps(`benefits.${value}.includedHours`)}
          />
          <NumberInput
            label="Discount after that"
            suffix=" %"
            min={0}
            max={100}
            allowDecimal={false}
            {...form.getInputProps(`benefits.${value}.discountPercent`)}
          />
          <NumberInput
            label="Limit"
            placeholder="Unlimited"
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

interface BenefitFormValues {
  includedHours: NumberInputValue;
  discountPercent: NumberInputValue;
  /** Blank means unlimited. */
  limitHours: NumberInputValue;
}

interface PlanFormValues extends PriceValues {
  name: string;
  interval: PlanInterval;
  active: boolean;
  benefits: Record<ResourceType, BenefitFormValues>;
}

type PlanFormState = UseFormReturnType<PlanFormValues>;

const BENEFIT_TYPES = RESOURCE_TYPES.map(({ value }) => value);

const toPlanFormValues = (plan: Plan | undefined): PlanFormValues => ({
  name: plan?.name ?? '',
  ...toPriceValues(plan?.price),
  interval: plan?.interval ?? 'MONTH',
  active: plan?.active ?? true,
  benefits: Object.fromEntries(
    BENEFIT_TYPES.map((type) => [type, toBenefitFormValues(plan, type)]),
  ) as Record<ResourceType, BenefitFormValues>,
});

function toBenefitFormValues(plan: Plan | undefined, type: ResourceType): BenefitFormValues {
  const known = plan?.benefits.find(({ resourceType }) => resourceType === type);
  return {
    includedHours: known?.includedHours ?? 0,
    discountPercent: known?.discountPercent ?? 0,
    limitHours: known?.limitHours ?? '',
  };
}

const planValidators = {
  name: (name: string) => (name.trim() ? null : 'Enter a name'),
  ...priceValidators,
  benefits: Object.fromEntries(
    BENEFIT_TYPES.map((type) => [type, { limitHours: createLimitValidator(type) }]),
  ),
};

function createLimitValidator(type: ResourceType) {
  return (limit: NumberInputValue, { benefits }: PlanFormValues) =>
    limit !== '' && Number(limit) < Number(benefits[type].includedHours)
      ? 'Enter at least the included hours'
      : null;
}

const toPlanInput = ({ name, interval, benefits, ...price }: PlanFormValues) => ({
  name: name.trim(),
  interval,
  price: toMoneyInput(price),
  benefits: toBenefits(benefits),
});

/** Omits benefits without effect. */
const toBenefits = (benefits: PlanFormValues['benefits']): Plan['benefits'] =>
  BENEFIT_TYPES.map((resourceType) => {
    const { includedHours, discountPercent, limitHours } = benefits[resourceType];
    return {
      resourceType,
      includedHours: Number(includedHours),
      discountPercent: Number(discountPercent),
      limitHours: toNumberOrNull(limitHours),
    };
  }).filter(
    (benefit) =>
      benefit.includedHours > 0 || benefit.discountPercent > 0 || benefit.limitHours !== null,
  );
