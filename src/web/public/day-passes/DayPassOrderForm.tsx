import { Alert, Button, Divider, Group, Input, Radio, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import type { TextKey } from '../../../languages/en.ts';
import { NoScriptNote, StatusBadge } from '../../components/PageLayout.tsx';
import { formatPrice } from '../../components/prices.ts';
import type { DayPassUnsoldReason } from '../../gql/graphql.ts';
import { getText } from '../../language/page-texts.ts';
import { AttendeeFields, type AttendeeValues, toAttendees } from '../checkout/AttendeeFields.tsx';
import {
  BuyerFields,
  buyerValidation,
  createBuyerValues,
  toBuyer,
  toDiscountCode,
} from '../checkout/BuyerFields.tsx';
import { toOrderFormError } from '../checkout/form-errors.ts';
import { OrderTotal } from '../checkout/OrderTotal.tsx';
import { isLowStock, toOrderLabel } from '../checkout/order-labels.ts';
import { QuantityInput } from '../checkout/QuantityInput.tsx';
import { usePlaceOrder } from '../checkout/use-place-order.ts';
import { type OfferedPass, offeredPassesKey, orderDayPasses } from './queries.ts';

interface DayPassOrderFormProps {
  /** The day passes of one location. */
  types: OfferedPass[];
  day: string;
}

export function DayPassOrderForm({ types, day }: DayPassOrderFormProps) {
  const client = useQueryClient();
  const { place, resetKey } = usePlaceOrder(orderDayPasses);
  const form = useForm({
    initialValues: {
      ...createBuyerValues(),
      typeId: null as string | null,
      count: 1,
      attendees: {} as Record<string, AttendeeValues[]>,
    },
    validate: buyerValidation,
    onValuesChange: () => {
      resetKey();
      if (place.isError) place.reset();
    },
  });
  const { typeId, attendees } = form.values;
  const buyable = types.filter((type) => countOrderablePasses(type) > 0);
  const type = buyable.find(({ id }) => id === typeId) ?? buyable[0];
  const count = type ? Math.min(form.values.count, countOrderablePasses(type)) : 0;
  const formError = toOrderFormError(place.error);
  const focusField = (field: string | undefined) => field && form.getInputNode(field)?.focus();
  const submit = form.onSubmit(
    (values) => {
      if (!type || place.isPending) return;
      const buyer = toBuyer(values);
      const holders = toAttendees(attendees[type.id] ?? [], count, buyer);
      place.mutate(
        {
          dayPassTypeId: type.id,
          validOn: day,
          buyer,
          holders: holders ?? Array.from({ length: count }, () => buyer),
          discountCode: toDiscountCode(values),
        },
        {
          onError: (error) => {
            focusField(toOrderFormError(error)?.field);
            return client.invalidateQueries({ queryKey: offeredPassesKey });
          },
        },
      );
    },
    (errors) => focusField(Object.keys(errors)[0]),
  );
  return (
    <form onSubmit={submit} noValidate>
      <NoScriptNote>{getText('pass.noScript')}</NoScriptNote>
      <Stack gap="md">
        <DayPassOptions
          types={types}
          value={type?.id ?? null}
          onChange={(id) => form.setFieldValue('typeId', id)}
        />
        {formError?.field === 'items' && (
          <Alert color="red" role="alert" title={getText('pass.unavailable')}>
            {formError.message}
          </Alert>
        )}
        {type ? (
          <>
            <div>
              <Input.Label component="div" mb={4}>
                {getText('pass.people')}
              </Input.Label>
              <QuantityInput
                label={getText('pass.passes')}
                min={1}
                max={countOrderablePasses(type)}
                value={count}
                onChange={(count) => form.setFieldValue('count', count)}
              />
            </div>
            <Divider />
            <BuyerFields
              inputProps={(field) => form.getInputProps(field)}
              formError={formError}
              withDiscount={type.price.amount > 0}
            />
            <AttendeeFields
              groups={[{ id: type.id, name: type.name, count }]}
              attendees={attendees}
              error={formError?.field === 'attendees' ? formError.message : undefined}
              onChange={(next) => form.setFieldValue('attendees', next)}
            />
            <Divider />
            <OrderTotal
              total={{ ...type.price, amount: type.price.amount * count }}
              hasDiscount={form.values.discountCode.trim() !== ''}
              isPaidOnSite={type.isPaidOnSite}
            />
            {formError?.field === 'form' && (
              <Alert color="red" role="alert" title={getText('order.notPlaced')}>
                {formError.message}
              </Alert>
            )}
            <Button type="submit" size="md" loading={place.isPending}>
              {toOrderLabel(type.price, type.isPaidOnSite)}
            </Button>
          </>
        ) : (
          <Alert color="gray" role="status" title={getText('pass.noneForDate')}>
            {getText('pass.otherDate')}
          </Alert>
        )}
      </Stack>
    </form>
  );
}

interface DayPassOptionsProps {
  types: OfferedPass[];
  value: string | null;
  onChange: (id: string) => void;
}

const DayPassOptions = ({ types, value, onChange }: DayPassOptionsProps) => (
  <Radio.Group label={getText('pass.dayPass')} value={value} onChange={onChange}>
    <Stack gap="xs" mt={6}>
      {types.map((type) => {
        const [color, label] = toPassStockBadge(type);
        return (
          <Radio.Card
            key={type.id}
            value={type.id}
            p="sm"
            disabled={countOrderablePasses(type) === 0}
          >
            <Group wrap="nowrap" align="flex-start" gap="sm">
              <Radio.Indicator mt={2} />
              <div style={{ flex: 1, minWidth: 0 }}>
                <Group justify="space-between" gap="xs" align="baseline">
                  <Text fw={600}>{type.name}</Text>
                  <Text>
                    {type.price.amount === 0 ? getText('event.free') : formatPrice(type.price)}
                  </Text>
                </Group>
                {type.description && (
                  <Text size="sm" c="dimmed">
                    {type.description}
                  </Text>
                )}
                <Group mt={4}>
                  <StatusBadge color={color}>{label}</StatusBadge>
                </Group>
              </div>
            </Group>
          </Radio.Card>
        );
      })}
    </Stack>
  </Radio.Group>
);

const MAX_PASSES_PER_ORDER = 20;

const UNAVAILABLE_LABELS = {
  SOLD_OUT: 'event.soldOut',
  CLOSED: 'pass.closed',
  DATE_PAST: 'pass.datePast',
  TOO_FAR_AHEAD: 'event.notOnSale',
  INACTIVE: 'pass.inactive',
} as const satisfies Record<DayPassUnsoldReason, TextKey>;

function toPassStockBadge({
  stock: { left, reason },
}: OfferedPass): [color: string, label: string] {
  if (reason !== null)
    return [reason === 'SOLD_OUT' ? 'red' : 'gray', getText(UNAVAILABLE_LABELS[reason])];
  if (left === null) return ['teal', getText('event.available')];
  return isLowStock(left)
    ? ['orange', getText('event.onlyLeft', { count: left })]
    : ['teal', getText('event.left', { count: left })];
}

const countOrderablePasses = ({ stock: { left, reason } }: OfferedPass) =>
  reason === null ? Math.min(left ?? MAX_PASSES_PER_ORDER, MAX_PASSES_PER_ORDER) : 0;
