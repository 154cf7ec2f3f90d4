import { Alert, Button, Divider, Input, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { BuyerFields } from '../ordering/BuyerFields.tsx';
import { buyerChecks, buyerOf, buyerValues, discountIn } from '../ordering/buyer.ts';
import { named, type Person } from '../ordering/people.ts';
import { Quantity } from '../ordering/Quantity.tsx';
import { refusalOf } from '../ordering/refusal.ts';
import { Sum } from '../ordering/Sum.tsx';
import { usePlaceOrder } from '../ordering/use-place-order.ts';
import { WhoComes } from '../ordering/WhoComes.tsx';
import { PassChoice } from './PassChoice.tsx';
import { mostOf } from './pass-words.ts';
import { type OfferedPass, offeredPasses, orderDayPasses } from './queries.ts';

interface Props {
  /** Of one location. */
  types: OfferedPass[];
  day: string;
}

export function PassForm({ types, day }: Props) {
  const client = useQueryClient();
  const { place, changed } = usePlaceOrder(orderDayPasses);
  const form = useForm({
    initialValues: {
      ...buyerValues(),
      typeId: null as string | null,
      count: 1,
      people: {} as Record<string, Person[]>,
    },
    validate: buyerChecks,
    onValuesChange: () => {
      changed();
      if (place.isError) place.reset();
    },
  });
  const { typeId, people } = form.values;
  const buyable = types.filter((type) => mostOf(type) > 0);
  const type = buyable.find(({ id }) => id === typeId) ?? buyable[0];
  const count = type ? Math.min(form.values.count, mostOf(type)) : 0;
  const refusal = refusalOf(place.error);
  const goTo = (field: string | undefined) => field && form.getInputNode(field)?.focus();
  const submit = form.onSubmit(
    (values) => {
      if (!type || place.isPending) return;
      const buyer = buyerOf(values);
      const holders = named(people[type.id] ?? [], count, buyer);
      place.mutate(
        {
          dayPassTypeId: type.id,
          validOn: day,
          buyer,
          holders: holders ?? Array.from({ length: count }, () => buyer),
          discountCode: discountIn(values),
        },
        {
          onError: (error) => {
            goTo(refusalOf(error)?.concern);
            return client.invalidateQueries({ queryKey: offeredPasses });
          },
        },
      );
    },
    (errors) => goTo(Object.keys(errors)[0]),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <PassChoice
          types={types}
          value={type?.id ?? null}
          onChange={(id) => form.setFieldValue('typeId', id)}
        />
        {refusal?.concern === 'goods' && (
          <Alert color="red" role="alert" title="This is not to be had">
            {refusal.message}
          </Alert>
        )}
        {type ? (
          <>
            <div>
              <Input.Label component="div" mb={4}>
                For how many people
              </Input.Label>
              <Quantity
                label="day passes"
                min={1}
                max={mostOf(type)}
                value={count}
                onChange={(count) => form.setFieldValue('count', count)}
              />
            </div>
            <Divider />
            <BuyerFields
              inputProps={(field) => form.getInputProps(field)}
              refusal={refusal}
              withDiscount={type.price.amount > 0}
            />
            <WhoComes
              parties={[{ id: type.id, name: type.name, count }]}
              people={people}
              error={refusal?.concern === 'people' ? refusal.message : undefined}
              onChange={(next) => form.setFieldValue('people', next)}
            />
            <Divider />
            <Sum
              sum={{ ...type.price, amount: type.price.amount * count }}
              hasDiscount={form.values.discountCode.trim() !== ''}
            />
            {refusal?.concern === 'all' && (
              <Alert color="red" role="alert" title="That did not work">
                {refusal.message}
              </Alert>
            )}
            <Button type="submit" size="md" loading={place.isPending}>
              {type.price.amount > 0 ? 'Order and pay' : 'Register'}
            </Button>
          </>
        ) : (
          <Alert color="gray" role="status" title="Nothing is to be had on this day">
            Choose another day above.
          </Alert>
        )}
      </Stack>
    </form>
  );
}
