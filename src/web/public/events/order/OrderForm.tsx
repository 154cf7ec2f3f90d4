import { Alert, Button, Divider, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { BuyerFields } from '../../ordering/BuyerFields.tsx';
import { buyerChecks, buyerValues } from '../../ordering/buyer.ts';
import type { Person } from '../../ordering/people.ts';
import { refusalOf } from '../../ordering/refusal.ts';
import { Sum } from '../../ordering/Sum.tsx';
import { usePlaceOrder } from '../../ordering/use-place-order.ts';
import { WhoComes } from '../../ordering/WhoComes.tsx';
import { eventKey, type OfferedEvent, type OfferedType } from '../queries.ts';
import { orderInputOf, placeOrder, sumOf } from './place-order.ts';
import { mostOf } from './sale.ts';
import classes from './TicketLine.module.css';
import { TicketLine } from './TicketLine.tsx';

interface Props {
  event: OfferedEvent;
  isGuest: boolean;
  signInUrl: string;
  onWait: (type: OfferedType) => void;
}

export function OrderForm({ event, isGuest, signInUrl, onWait }: Props) {
  const { slug, ticketTypes, timeZone } = event;
  const client = useQueryClient();
  const { place, changed } = usePlaceOrder(placeOrder);
  const buyable = ticketTypes.filter((type) => mostOf(type, isGuest) > 0);
  const [only] = buyable.length === 1 ? buyable : [];
  const form = useForm({
    initialValues: {
      ...buyerValues(),
      quantities: (only ? { [only.id]: 1 } : {}) as Record<string, number>,
      people: {} as Record<string, Person[]>,
    },
    validate: buyerChecks,
    onValuesChange: () => {
      changed();
      if (place.isError) place.reset();
    },
  });
  const { quantities, people } = form.values;
  // What has been chosen and is no longer to be had in that number counts as far as it is.
  const chosen = ticketTypes.flatMap((type) => {
    const count = Math.min(quantities[type.id] ?? 0, mostOf(type, isGuest));
    return count > 0 ? [{ ...type, count }] : [];
  });
  const sum = sumOf(chosen);
  const refusal = refusalOf(place.error);
  const goTo = (field: string | undefined) => field && form.getInputNode(field)?.focus();
  const submit = form.onSubmit(
    (values) => {
      if (chosen.length === 0 || place.isPending) return;
      place.mutate(orderInputOf(event.id, values, chosen), {
        onError: (error) => {
          goTo(refusalOf(error)?.concern);
          return client.invalidateQueries({ queryKey: eventKey(slug) });
        },
      });
    },
    (errors) => goTo(Object.keys(errors)[0]),
  );
  return (
    <form onSubmit={submit} noValidate>
      <ul className={classes.lines} aria-label="Ticket types">
        {ticketTypes.map((type) => (
          <TicketLine
            key={type.id}
            type={type}
            timeZone={timeZone}
            isGuest={isGuest}
            signInUrl={signInUrl}
            quantity={quantities[type.id] ?? 0}
            onChange={(count) =>
              form.setFieldValue('quantities', { ...quantities, [type.id]: count })
            }
            onWait={() => onWait(type)}
          />
        ))}
      </ul>
      {refusal?.concern === 'goods' && (
        <Alert color="red" role="alert" title="These tickets are not to be had" mt="sm">
          {refusal.message}
        </Alert>
      )}
      {buyable.length > 0 && (
        <Stack gap="md" mt="md">
          <Divider />
          <BuyerFields
            inputProps={(field) => form.getInputProps(field)}
            refusal={refusal}
            withDiscount={buyable.some(({ price }) => price.amount > 0)}
          />
          {chosen.length > 0 && (
            <WhoComes
              parties={chosen}
              people={people}
              error={refusal?.concern === 'people' ? refusal.message : undefined}
              onChange={(next) => form.setFieldValue('people', next)}
            />
          )}
          <Divider />
          {sum ? (
            <Sum sum={sum} hasDiscount={form.values.discountCode.trim() !== ''} />
          ) : (
            <Text size="sm" c="dimmed" role="status">
              Choose how many tickets you would like.
            </Text>
          )}
          {refusal?.concern === 'all' && (
            <Alert color="red" role="alert" title="That did not work">
              {refusal.message}
            </Alert>
          )}
          <Button type="submit" size="md" loading={place.isPending} disabled={chosen.length === 0}>
            {sum && sum.amount > 0 ? 'Order and pay' : 'Register'}
          </Button>
        </Stack>
      )}
    </form>
  );
}
