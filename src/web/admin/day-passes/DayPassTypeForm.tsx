import { NumberInput, SimpleGrid, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DialogForm } from '../../components/Dialog.tsx';
import {
  MoneyFields,
  type NumberInputValue,
  priceValidators,
  toMoneyInput,
  toNumberOrNull,
  toPriceValues,
} from '../../components/FieldGroups.tsx';
import { notifySuccess } from '../../components/notify.ts';
import {
  OrderLimitFields,
  toLimitInput,
  toLimitValues,
} from '../../components/OrderLimitFields.tsx';
import { type DayPassType, useSaveDayPassType } from './queries.ts';

interface Props {
  locationId: string;
  /** The type to edit. Omit it to create one. */
  type?: DayPassType;
  onClose: () => void;
}

export function DayPassTypeForm({ locationId, type, onClose }: Props) {
  const save = useSaveDayPassType(({ name }) => {
    notifySuccess(`${name} saved.`);
    onClose();
  });
  const form = useForm({
    initialValues: {
      name: type?.name ?? '',
      description: type?.description ?? '',
      ...toPriceValues(type?.price),
      dailyCapacity: (type?.dailyCapacity ?? '') as NumberInputValue,
      daysAhead: (type?.daysAhead ?? 60) as NumberInputValue,
      active: type?.active ?? true,
      limits: toLimitValues(type?.orderLimits),
    },
    validate: {
      name: (name) => (name.trim() ? null : 'Enter a name'),
      ...priceValidators,
      daysAhead: (days) => (days === '' ? 'Enter a number of days (0 = same day only)' : null),
    },
  });
  const submit = form.onSubmit((values) => {
    const input = {
      name: values.name.trim(),
      description: values.description.trim() || null,
      price: toMoneyInput(values),
      dailyCapacity: toNumberOrNull(values.dailyCapacity),
      daysAhead: Number(values.daysAhead),
      ...toLimitInput(values.limits),
    };
    if (type) save.mutate({ update: { id: type.id, ...input, active: values.active } });
    else save.mutate({ create: { ...input, locationId } });
  });
  const { price, currency } = form.values;
  return (
    <DialogForm
      label={type ? 'Save day pass' : 'Add day pass'}
      onSubmit={submit}
      mutation={save}
      onCancel={onClose}
    >
      <TextInput
        label="Name"
        placeholder="Day pass"
        maxLength={200}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput
        label="Description (optional)"
        placeholder="A desk, coffee and the phone booth"
        maxLength={5000}
        {...form.getInputProps('description')}
      />
      <MoneyFields
        label="Price"
        {...(type && { description: 'Applies to new orders only' })}
        price={price}
        currency={currency}
        error={form.errors.price ?? form.errors.currency}
        onChange={(change) => form.setValues(change)}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput
          label="Passes per day (optional)"
          description="Limits sales for each date"
          placeholder="Unlimited"
          min={0}
          max={1_000_000}
          allowDecimal={false}
          {...form.getInputProps('dailyCapacity')}
        />
        <NumberInput
          label="Advance sale"
          description="0 = same day only"
          suffix=" days"
          min={0}
          max={1000}
          allowDecimal={false}
          {...form.getInputProps('daysAhead')}
        />
      </SimpleGrid>
      <OrderLimitFields
        values={form.values.limits}
        onChange={(change) => form.setFieldValue('limits', { ...form.values.limits, ...change })}
      />
      {type && (
        <Switch
          label="On sale"
          description="Turn off to stop sales. Sold passes stay valid."
          {...form.getInputProps('active', { type: 'checkbox' })}
        />
      )}
    </DialogForm>
  );
}
