import { SimpleGrid } from '@mantine/core';
import { MoneyFields } from '../../components/FieldGroups.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import { type FieldViews, toMoneyInputValue } from '../../components/input-values.ts';
import { notifySuccess } from '../../components/notify.ts';
import {
  NEW_ORDER_LIMITS,
  ORDER_LIMIT_VIEWS,
  OrderLimitFields,
  toOrderLimitInput,
  toOwnOrderLimitValues,
} from '../../components/OrderLimitFields.tsx';
import type { CreateDayPassTypeInput, UpdateDayPassTypeInput } from '../../gql/graphql.ts';
import { EditForm } from '../EditForm.tsx';
import { type DayPassType, useSaveDayPassType } from './queries.ts';

interface Props {
  locationId: string;
  /** The type to edit. Omit it to create one. */
  type?: DayPassType;
  onClose: () => void;
}

/** The defaults of the service. */
const NEW_DAY_PASS_TYPE = { daysAhead: 60, ...NEW_ORDER_LIMITS };

const VIEWS: FieldViews<
  Omit<CreateDayPassTypeInput & UpdateDayPassTypeInput, 'id' | 'locationId'>
> = {
  name: { label: 'Name', placeholder: 'Day pass', missing: 'Enter a name' },
  description: { label: 'Description', placeholder: 'A desk, coffee and the phone booth' },
  price: { label: 'Price' },
  dailyCapacity: {
    label: 'Passes per day',
    description: 'Limits sales for each date',
    placeholder: 'Unlimited',
  },
  daysAhead: {
    label: 'Advance sale',
    description: '0 = same day only',
    suffix: ' days',
    missing: 'Enter a number of days (0 = same day only)',
  },
  ...ORDER_LIMIT_VIEWS,
  active: { label: 'On sale', description: 'Turn off to stop sales. Sold passes stay valid.' },
};

export function DayPassTypeForm({ locationId, type, onClose }: Props) {
  const save = useSaveDayPassType(({ name }) => {
    notifySuccess(`${name} saved.`);
    onClose();
  });
  const form = useInputForm(type ? 'UpdateDayPassTypeInput' : 'CreateDayPassTypeInput', VIEWS, {
    row: {
      ...(type ?? NEW_DAY_PASS_TYPE),
      ...type?.orderLimits,
      price: toMoneyInputValue(type?.price),
    },
    own: toOwnOrderLimitValues(type?.orderLimits),
    toInput: toOrderLimitInput,
  });
  const submit = form.onSubmit((values) =>
    save.mutate(
      type
        ? { update: { id: type.id, ...form.toChanges(values) } }
        : { create: { locationId, ...form.toInput(values) } },
    ),
  );
  return (
    <EditForm
      row={type}
      form={form}
      label={type ? 'Save day pass' : 'Add day pass'}
      onSubmit={submit}
      mutation={save}
      onCancel={onClose}
    >
      <InputField form={form} name="name" isFirst />
      <InputField form={form} name="description" />
      <MoneyFields
        {...form.getFieldProps('price')}
        {...(type && { description: 'Applies to new orders only' })}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <InputField form={form} name="dailyCapacity" />
        <InputField form={form} name="daysAhead" />
      </SimpleGrid>
      <OrderLimitFields form={form} />
      {type && <InputField form={form} name="active" />}
    </EditForm>
  );
}
