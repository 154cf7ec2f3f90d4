import { Fieldset, List, NumberInput, Select, SimpleGrid, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { MoneyFields } from '../../components/FieldGroups.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import {
  type FieldViews,
  type NumberInputValue,
  toLimitProps,
  toMoneyInputValue,
  toNumberOrNull,
} from '../../components/input-values.ts';
import { notifySuccess } from '../../components/notify.ts';
import type { CreatePlanInput, ResourceType, UpdatePlanInput } from '../../gql/graphql.ts';
import { EditForm } from '../EditForm.tsx';
import { formatResourceTypePlural, RESOURCE_TYPES } from '../spaces/resource-labels.ts';
import { formatBenefit, INTERVAL_OPTIONS } from './plan-labels.ts';
import { type Plan, useSavePlan } from './queries.ts';

interface Props {
  /** The plan to edit. Omit it to create one. */
  plan?: Plan;
  onClose: () => void;
}

const VIEWS: FieldViews<Omit<CreatePlanInput & UpdatePlanInput, 'id'>> = {
  name: { label: 'Name', placeholder: 'Resident', missing: 'Enter a name' },
  price: { label: 'Price' },
  interval: { label: 'Billing period' },
  benefits: { label: 'Benefits' },
  active: {
    label: 'Available',
    description: 'Turn off to stop new memberships. Current memberships continue.',
  },
};

export function PlanForm({ plan, onClose }: Props) {
  const save = useSavePlan(({ name }) => {
    notifySuccess(`Plan ${name} saved.`);
    onClose();
  });
  const form = useInputForm(plan ? 'UpdatePlanInput' : 'CreatePlanInput', VIEWS, {
    row: { interval: 'MONTH', ...plan, price: toMoneyInputValue(plan?.price) },
    own: { benefits: toBenefitFormValues(plan) },
    validate: { benefits: benefitValidators },
    toInput: ({ benefits }) => ({ benefits: toBenefits(benefits) }),
  });
  const submit = form.onSubmit((values) =>
    save.mutate(
      plan
        ? { update: { id: plan.id, ...form.toChanges(values) } }
        : { create: form.toInput(values) },
    ),
  );
  const summary = toBenefits(form.values.benefits).map(formatBenefit);
  return (
    <EditForm
      row={plan}
      form={form}
      label={plan ? 'Save plan' : 'Create plan'}
      onSubmit={submit}
      mutation={save}
      onCancel={onClose}
    >
      <InputField form={form} name="name" isFirst />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <MoneyFields {...form.getFieldProps('price')} />
        <Select data={INTERVAL_OPTIONS} allowDeselect={false} {...form.getFieldProps('interval')} />
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
      {plan && <InputField form={form} name="active" />}
    </EditForm>
  );
}

/** Benefits per resource type and calendar month. */
const BenefitFields = ({
  form,
}: {
  form: Pick<UseFormReturnType<{ benefits: BenefitValues }>, 'getInputProps'>;
}) => (
  <>
    {RESOURCE_TYPES.map(({ value }) => (
      <Fieldset
        key={value}
        legend={`${formatResourceTypePlural(value)} per month`}
        variant="default"
      >
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <NumberInput
            label="Included"
            suffix=" h"
            allowDecimal={false}
            {...toLimitProps('PlanBenefitInput', 'includedHours')}
            {...form.getInputProps(`benefits.${value}.includedHours`)}
          />
          <NumberInput
            label="Discount after that"
            suffix=" %"
            allowDecimal={false}
            {...toLimitProps('PlanBenefitInput', 'discountPercent')}
            {...form.getInputProps(`benefits.${value}.discountPercent`)}
          />
          <NumberInput
            label="Limit"
            placeholder="Unlimited"
            suffix=" h"
            allowDecimal={false}
            {...toLimitProps('PlanBenefitInput', 'limitHours')}
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

type BenefitValues = Record<ResourceType, BenefitFormValues>;

const BENEFIT_TYPES = RESOURCE_TYPES.map(({ value }) => value);

const toBenefitFormValues = (plan: Plan | undefined) =>
  Object.fromEntries(
    BENEFIT_TYPES.map((type): [ResourceType, BenefitFormValues] => {
      const known = plan?.benefits.find(({ resourceType }) => resourceType === type);
      return [
        type,
        {
          includedHours: known?.includedHours ?? 0,
          discountPercent: known?.discountPercent ?? 0,
          limitHours: known?.limitHours ?? '',
        },
      ];
    }),
  ) as BenefitValues;

const benefitValidators = Object.fromEntries(
  BENEFIT_TYPES.map((type) => [type, { limitHours: createLimitValidator(type) }]),
);

function createLimitValidator(type: ResourceType) {
  return (limit: NumberInputValue, { benefits }: { benefits: BenefitValues }) =>
    limit !== '' && Number(limit) < Number(benefits[type].includedHours)
      ? 'Enter at least the included hours'
      : null;
}

/** Omits benefits without effect. */
const toBenefits = (benefits: BenefitValues): Plan['benefits'] =>
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
