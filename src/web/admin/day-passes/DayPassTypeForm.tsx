import { NumberInput, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DialogActions } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { MoneyFields } from '../../components/MoneyFields.tsx';
import { isCurrencyCode, toMajorUnits, toMinorUnits } from '../../components/money.ts';
import { notifySuccess } from '../../components/notify.ts';
import {
  OrderLimitFields,
  toLimitInput,
  toLimitValues,
} from '../../components/OrderLimitFields.tsx';
import { type DayPassType, useSaveDayPassType } from './queries.ts';

interface Props {
  locationId: string;
  /** The one to change; without it, a new one is made. */
  type?: DayPassType;
  onClose: () => void;
}

type NumberInputValue = number | string;

export function DayPassTypeForm({ locationId, type, onClose }: Props) {
  const save = useSaveDayPassType(({ name }) => {
    notifySuccess(`${name} is saved.`);
    onClose();
  });
  const form = useForm({
    initialValues: {
      name: type?.name ?? '',
      description: type?.description ?? '',
      price: (type ? toMajorUnits(type.price) : '') as NumberInputValue,
      currency: type?.price.currency ?? 'EUR',
      perDay: (type?.perDay ?? '') as NumberInputValue,
      daysAhead: (type?.daysAhead ?? 60) as NumberInputValue,
      active: type?.active ?? true,
      limits: toLimitValues(type?.orderLimits),
    },
    validate: {
      name: (name) => (name.trim() ? null : 'Give it a name'),
      price: (price) => (price === '' ? 'Fill in the price; 0 is one, too' : null),
      currency: (code) => (isCurrencyCode(code) ? null : 'Three letters'),
      daysAhead: (days) => (days === '' ? 'Fill this in; 0 is only on the day' : null),
    },
  });
  const submit = form.onSubmit((values) => {
    const input = {
      name: values.name.trim(),
      description: values.description.trim() || null,
      price: {
        amount: toMinorUnits(Number(values.price), values.currency),
        currency: values.currency,
      },
      perDay: values.perDay === '' ? null : Number(values.perDay),
      daysAhead: Number(values.daysAhead),
      ...toLimitInput(values.limits),
    };
    if (type) save.mutate({ id: type.id, update: { ...input, active: values.active } });
    else save.mutate({ create: { ...input, locationId } });
  });
  const { price, currency } = form.values;
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormError error={save.error} />
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
          {...(type && { description: 'Passes that are sold keep theirs' })}
          price={price}
          currency={currency}
          error={form.errors.price ?? form.errors.currency}
          onChange={(change) => form.setValues(change)}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberInput
            label="Each day (optional)"
            description="How many there are"
            placeholder="no limit"
            min={0}
            max={1_000_000}
            allowDecimal={false}
            {...form.getInputProps('perDay')}
          />
          <NumberInput
            label="Sold before, at most"
            description="0: on the day only"
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
            label="Offered"
            description="Off: nobody buys it any more; passes that are sold stay good."
            {...form.getInputProps('active', { type: 'checkbox' })}
          />
        )}
      </Stack>
      <DialogActions
        label={type ? 'Save day pass' : 'Add day pass'}
        onCancel={onClose}
        pending={save.isPending}
      />
    </form>
  );
}
