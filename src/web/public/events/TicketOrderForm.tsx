import { Alert, Anchor, Button, Divider, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import { formatMoney, type Money } from '../../components/money.ts';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import type { PlaceOrderInput } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { AttendeeFields, type AttendeeValues, toAttendees } from '../checkout/AttendeeFields.tsx';
import {
  BuyerFields,
  type BuyerValues,
  buyerValidation,
  createBuyerValues,
  toBuyer,
  toDiscountCode,
} from '../checkout/BuyerFields.tsx';
import { toOrderFormError } from '../checkout/form-errors.ts';
import { OrderTotal } from '../checkout/OrderTotal.tsx';
import { QuantityInput } from '../checkout/QuantityInput.tsx';
import { usePlaceOrder } from '../checkout/use-place-order.ts';
import { getPublicEventKey, type OfferedEvent, type PublicTicketType } from './queries.ts';
import classes from './TicketOrderForm.module.css';
import {
  countOrderableTickets,
  formatSalesWindow,
  needsSignIn,
  toTicketStockBadge,
} from './ticket-availability.ts';

interface TicketOrderFormProps {
  event: OfferedEvent;
  isGuest: boolean;
  signInUrl: string;
  onWait: (type: PublicTicketType) => void;
}

export function TicketOrderForm({ event, isGuest, signInUrl, onWait }: TicketOrderFormProps) {
  const { slug, ticketTypes, timeZone } = event;
  const client = useQueryClient();
  const { place, changed } = usePlaceOrder(placeOrder);
  const buyable = ticketTypes.filter((type) => countOrderableTickets(type, isGuest) > 0);
  const [only] = buyable.length === 1 ? buyable : [];
  const form = useForm({
    initialValues: {
      ...createBuyerValues(),
      quantities: (only ? { [only.id]: 1 } : {}) as Record<string, number>,
      people: {} as Record<string, AttendeeValues[]>,
    },
    validate: buyerValidation,
    onValuesChange: () => {
      changed();
      if (place.isError) place.reset();
    },
  });
  const { quantities, people } = form.values;
  // What has been chosen and is no longer to be had in that number counts as far as it is.
  const chosen = ticketTypes.flatMap((type) => {
    const count = Math.min(quantities[type.id] ?? 0, countOrderableTickets(type, isGuest));
    return count > 0 ? [{ ...type, count }] : [];
  });
  const sum = calculateTotal(chosen);
  const refusal = toOrderFormError(place.error);
  const goTo = (field: string | undefined) => field && form.getInputNode(field)?.focus();
  const submit = form.onSubmit(
    (values) => {
      if (chosen.length === 0 || place.isPending) return;
      place.mutate(toOrderInput(event.id, values, chosen), {
        onError: (error) => {
          goTo(toOrderFormError(error)?.field);
          return client.invalidateQueries({ queryKey: getPublicEventKey(slug) });
        },
      });
    },
    (errors) => goTo(Object.keys(errors)[0]),
  );
  return (
    <form onSubmit={submit} noValidate>
      <ul className={classes.lines} aria-label="Ticket types">
        {ticketTypes.map((type) => (
          <TicketTypeLine
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
      {refusal?.field === 'goods' && (
        <Alert color="red" role="alert" title="These tickets are not to be had" mt="sm">
          {refusal.message}
        </Alert>
      )}
      {buyable.length > 0 && (
        <Stack gap="md" mt="md">
          <Divider />
          <BuyerFields
            inputProps={(field) => form.getInputProps(field)}
            formError={refusal}
            withDiscount={buyable.some(({ price }) => price.amount > 0)}
          />
          {chosen.length > 0 && (
            <AttendeeFields
              groups={chosen}
              attendees={people}
              error={refusal?.field === 'people' ? refusal.message : undefined}
              onChange={(next) => form.setFieldValue('people', next)}
            />
          )}
          <Divider />
          {sum ? (
            <OrderTotal total={sum} hasDiscount={form.values.discountCode.trim() !== ''} />
          ) : (
            <Text size="sm" c="dimmed" role="status">
              Choose how many tickets you would like.
            </Text>
          )}
          {refusal?.field === 'all' && (
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

interface TicketTypeLineProps {
  type: PublicTicketType;
  timeZone: string;
  isGuest: boolean;
  signInUrl: string;
  quantity: number;
  onChange: (quantity: number) => void;
  onWait: () => void;
}

/** One type: what it is, what it costs, and what one can do about it now. */
function TicketTypeLine({ type, timeZone, isGuest, signInUrl, ...rest }: TicketTypeLineProps) {
  const { quantity, onChange, onWait } = rest;
  const { name, description, price, saleState, perOrder } = type;
  const most = countOrderableTickets(type, isGuest);
  const window = formatSalesWindow(type, timeZone);
  const [color, words] = toTicketStockBadge(type);
  return (
    <li className={classes.line}>
      <div className={classes.what}>
        <Group gap="xs" align="baseline">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Text>{price.amount === 0 ? 'Free' : formatMoney(price)}</Text>
        </Group>
        {description && (
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        )}
        <Group gap={6} mt={4}>
          <StatusBadge color={color}>{words}</StatusBadge>
          {type.audience === 'MEMBERS' && <StatusBadge color="indigo">Members only</StatusBadge>}
        </Group>
        {window && (
          <Text size="sm" c="dimmed" mt={4}>
            {window}
          </Text>
        )}
        {quantity >= perOrder && perOrder > 0 && (
          <Text size="sm" c="dimmed" mt={4}>
            At most {perOrder} in one order
          </Text>
        )}
      </div>
      {most > 0 && (
        <QuantityInput
          label={name}
          value={Math.min(quantity, most)}
          max={most}
          onChange={onChange}
        />
      )}
      {needsSignIn(type, isGuest) && saleState !== 'CLOSED' && (
        <Anchor href={signInUrl} size="sm">
          Sign in to buy it
        </Anchor>
      )}
      {saleState === 'SOLD_OUT' && !needsSignIn(type, isGuest) && (
        <Button variant="default" aria-label={`Join the waiting list: ${name}`} onClick={onWait}>
          Join the waiting list
        </Button>
      )}
    </li>
  );
}

const PLACE_ORDER_MUTATION = graphql(`
  mutation PlaceOrder($input: PlaceOrderInput!) {
    placeOrder(input: $input) {
      ...Portal
    }
  }
`);

const placeOrder = async (input: PlaceOrderInput, idempotencyKey: string) =>
  (await request(PLACE_ORDER_MUTATION, { input }, undefined, idempotencyKey)).placeOrder;

type SelectedTickets = PublicTicketType & { count: number };

function toOrderInput(
  eventId: string,
  values: BuyerValues & { people: Record<string, AttendeeValues[]> },
  chosen: SelectedTickets[],
): PlaceOrderInput {
  const buyer = toBuyer(values);
  return {
    eventId,
    buyer,
    discountCode: toDiscountCode(values),
    items: chosen.map(({ id, count }) => ({
      ticketTypeId: id,
      quantity: count,
      attendees: toAttendees(values.people[id] ?? [], count, buyer),
    })),
  };
}

/** Before any discount; null while nothing is chosen. All types of an event have one currency. */
function calculateTotal(chosen: SelectedTickets[]): Money | null {
  const [first] = chosen;
  if (first === undefined) return null;
  const amount = chosen.reduce((sum, { price, count }) => sum + price.amount * count, 0);
  return { amount, currency: first.price.currency };
}
