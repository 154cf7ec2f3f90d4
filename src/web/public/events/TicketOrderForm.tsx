import { Alert, Anchor, Button, Divider, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import type { Money } from '../../../core/money.ts';
import { request } from '../../api/request.ts';
import { useTimeZoneSuffix } from '../../components/browser-time.tsx';
import { NoScriptNote, StatusBadge } from '../../components/PageLayout.tsx';
import { formatPrice } from '../../components/prices.ts';
import type { PlaceOrderInput } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { getText } from '../../language/page-texts.ts';
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
import { toOrderLabel } from '../checkout/order-labels.ts';
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
  const { place, resetKey } = usePlaceOrder(placeOrder);
  const buyable = ticketTypes.filter((type) => countOrderableTickets(type, isGuest) > 0);
  const [only] = buyable.length === 1 ? buyable : [];
  const form = useForm({
    initialValues: {
      ...createBuyerValues(),
      quantities: (only ? { [only.id]: 1 } : {}) as Record<string, number>,
      attendees: {} as Record<string, AttendeeValues[]>,
    },
    validate: buyerValidation,
    onValuesChange: () => {
      resetKey();
      if (place.isError) place.reset();
    },
  });
  const { quantities, attendees } = form.values;
  // If fewer tickets are left than were selected, the order has as many as are left.
  const selected = ticketTypes.flatMap((type) => {
    const count = Math.min(quantities[type.id] ?? 0, countOrderableTickets(type, isGuest));
    return count > 0 ? [{ ...type, count }] : [];
  });
  const total = calculateTotal(selected);
  const formError = toOrderFormError(place.error);
  const focusField = (field: string | undefined) => field && form.getInputNode(field)?.focus();
  const submit = form.onSubmit(
    (values) => {
      if (selected.length === 0 || place.isPending) return;
      place.mutate(toOrderInput(event.id, values, selected), {
        onError: (error) => {
          focusField(toOrderFormError(error)?.field);
          return client.invalidateQueries({ queryKey: getPublicEventKey(slug) });
        },
      });
    },
    (errors) => focusField(Object.keys(errors)[0]),
  );
  return (
    <form onSubmit={submit} noValidate>
      <NoScriptNote>{getText('event.noScript')}</NoScriptNote>
      <ul className={classes.lines} aria-label={getText('event.ticketTypes')}>
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
      {formError?.field === 'items' && (
        <Alert color="red" role="alert" title={getText('event.ticketsUnavailable')} mt="sm">
          {formError.message}
        </Alert>
      )}
      {buyable.length > 0 && (
        <Stack gap="md" mt="md">
          <Divider />
          <BuyerFields
            inputProps={(field) => form.getInputProps(field)}
            formError={formError}
            withDiscount={buyable.some(({ price }) => price.amount > 0)}
          />
          {selected.length > 0 && (
            <AttendeeFields
              groups={selected}
              attendees={attendees}
              error={formError?.field === 'attendees' ? formError.message : undefined}
              onChange={(next) => form.setFieldValue('attendees', next)}
            />
          )}
          <Divider />
          {total ? (
            <OrderTotal
              total={total}
              hasDiscount={form.values.discountCode.trim() !== ''}
              isPaidOnSite={event.isPaidOnSite}
            />
          ) : (
            <Text size="sm" c="dimmed" role="status">
              {getText('event.chooseQuantity')}
            </Text>
          )}
          {formError?.field === 'form' && (
            <Alert color="red" role="alert" title={getText('order.notPlaced')}>
              {formError.message}
            </Alert>
          )}
          <Button
            type="submit"
            size="md"
            loading={place.isPending}
            disabled={selected.length === 0}
          >
            {toOrderLabel(total, event.isPaidOnSite)}
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

function TicketTypeLine({ type, timeZone, isGuest, signInUrl, ...rest }: TicketTypeLineProps) {
  const { quantity, onChange, onWait } = rest;
  const { name, description, price, saleState, maxPerOrder } = type;
  const max = countOrderableTickets(type, isGuest);
  const salesWindow = formatSalesWindow(type, timeZone, useTimeZoneSuffix());
  const [color, label] = toTicketStockBadge(type);
  return (
    <li className={classes.line}>
      <div className={classes.what}>
        <Group gap="xs" align="baseline">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Text>{price.amount === 0 ? getText('event.free') : formatPrice(price)}</Text>
        </Group>
        {description && (
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        )}
        <Group gap={6} mt={4}>
          <StatusBadge color={color}>{label}</StatusBadge>
          {type.audience === 'MEMBERS' && (
            <StatusBadge color="indigo">{getText('event.membersOnly')}</StatusBadge>
          )}
        </Group>
        {salesWindow && (
          <Text size="sm" c="dimmed" mt={4}>
            {salesWindow}
          </Text>
        )}
        {quantity >= maxPerOrder && maxPerOrder > 0 && (
          <Text size="sm" c="dimmed" mt={4}>
            {getText('event.limit', { count: maxPerOrder })}
          </Text>
        )}
      </div>
      {max > 0 && (
        <QuantityInput label={name} value={Math.min(quantity, max)} max={max} onChange={onChange} />
      )}
      {needsSignIn(type, isGuest) && saleState !== 'CLOSED' && (
        <Anchor href={signInUrl} size="sm">
          {getText('event.signInToBuy')}
        </Anchor>
      )}
      {saleState === 'SOLD_OUT' && !needsSignIn(type, isGuest) && (
        <Button
          variant="default"
          aria-label={getText('waitlist.joinFor', { name })}
          onClick={onWait}
        >
          {getText('waitlist.join')}
        </Button>
      )}
    </li>
  );
}

const PLACE_ORDER_MUTATION = graphql(`
  mutation PlaceOrder($input: PlaceOrderInput!) {
    placeOrder(input: $input) {
      order {
        ...Portal
      }
    }
  }
`);

const placeOrder = async (input: PlaceOrderInput, idempotencyKey: string) =>
  (await request(PLACE_ORDER_MUTATION, { input }, undefined, idempotencyKey)).placeOrder.order;

type SelectedTickets = PublicTicketType & { count: number };

function toOrderInput(
  eventId: string,
  values: BuyerValues & { attendees: Record<string, AttendeeValues[]> },
  selected: SelectedTickets[],
): PlaceOrderInput {
  const buyer = toBuyer(values);
  return {
    eventId,
    buyer,
    discountCode: toDiscountCode(values),
    items: selected.map(({ id, count }) => ({
      ticketTypeId: id,
      quantity: count,
      attendees: toAttendees(values.attendees[id] ?? [], count, buyer),
    })),
  };
}

/** Returns the total before discounts, or null if nothing is selected. All types of an event have the same currency. */
function calculateTotal(selected: SelectedTickets[]): Money | null {
  const [first] = selected;
  if (first === undefined) return null;
  const amount = selected.reduce((sum, { price, count }) => sum + price.amount * count, 0);
  return { amount, currency: first.price.currency };
}
