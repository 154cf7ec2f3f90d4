import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { v4 } from 'uuid';
import type { Money } from '../../../core/money.ts';
import { formatLocalDate, formatLocalTime } from '../../../core/time/format.ts';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { isTransient, toApiError } from '../../api/errors.ts';
import { useInvalidatingMutation } from '../../api/mutations.ts';
import { request } from '../../api/request.ts';
import type { SaleFragment, SellDayPassInput, SellTicketInput } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { CHECK_INS_KEY } from './queries.ts';

const SALE_CHOICES_KEY = 'sale-choices';

export type SaleKind = 'DAY_PASS' | 'TICKET';

/** A type of day pass or ticket that staff can sell now. */
export interface SaleChoice {
  id: string;
  label: string;
  price: Money;
  /** Null if unlimited. */
  left: number | null;
  /** Whether it admits today. */
  isToday: boolean;
}

export type Sale = SaleFragment;

const DAY_PASS_CHOICES_QUERY = graphql(`
  query DayPassChoices($locationId: ID, $date: Date) {
    dayPassTypes(locationId: $locationId) {
      id
      name
      price {
        amount
        currency
      }
      location {
        name
        timeZone
      }
      stock(date: $date) {
        left
        reason
      }
    }
  }
`);

const TICKET_CHOICES_QUERY = graphql(`
  query TicketChoices($filter: EventFilter!) {
    events(first: 20, filter: $filter) {
      nodes {
        id
        title
        startsAt
        timeZone
        ticketTypes {
          id
          name
          left
          saleState
          price {
            amount
            currency
          }
        }
      }
    }
  }
`);

graphql(`
  fragment Sale on Order {
    id
    total {
      amount
      currency
    }
    tickets {
      id
      code
    }
    dayPasses {
      id
      code
    }
  }
`);

const SELL_DAY_PASS_MUTATION = graphql(`
  mutation SellDayPass($input: SellDayPassInput!) {
    sellDayPass(input: $input) {
      order {
        ...Sale
      }
      checkIn {
        result
      }
    }
  }
`);

const SELL_TICKET_MUTATION = graphql(`
  mutation SellTicket($input: SellTicketInput!) {
    sellTicket(input: $input) {
      order {
        ...Sale
      }
      checkIn {
        result
      }
    }
  }
`);

/** What is left and on sale: day passes for a day, or for today if it is null, or tickets of the next events. */
export const useSaleChoices = (kind: SaleKind, locationId: string | null, day: string | null) =>
  useQuery({
    queryKey: [SALE_CHOICES_KEY, kind, locationId, day],
    placeholderData: keepPreviousData, // so that the form stays
    queryFn: ({ signal }) =>
      kind === 'DAY_PASS'
        ? loadDayPassChoices(locationId, day, signal)
        : loadTicketChoices(locationId, signal),
  });

async function loadDayPassChoices(
  locationId: string | null,
  day: string | null,
  signal: AbortSignal,
): Promise<SaleChoice[]> {
  const variables = { locationId, date: day };
  const { dayPassTypes } = await request(DAY_PASS_CHOICES_QUERY, variables, signal);
  const hasLocations = new Set(dayPassTypes.map(({ location }) => location.name)).size > 1;
  return dayPassTypes
    .filter(({ stock }) => stock.reason === null)
    .map(({ id, name, price, location, stock }) => ({
      ...{ id, price, left: stock.left },
      isToday: day === null || day === toLocalDate(new Date(), location.timeZone),
      label: hasLocations ? `${location.name}: ${name}` : name,
    }));
}

async function loadTicketChoices(
  locationId: string | null,
  signal: AbortSignal,
): Promise<SaleChoice[]> {
  const filter = { status: ['PUBLISHED' as const], ...(locationId && { locationId }) };
  const { events } = await request(TICKET_CHOICES_QUERY, { filter }, signal);
  const now = new Date();
  return events.nodes.flatMap(({ title, startsAt, timeZone, ticketTypes }) => {
    const day = formatLocalDate(startsAt, timeZone);
    const isToday = day === formatLocalDate(now, timeZone) || new Date(startsAt) <= now;
    const when = isToday ? formatLocalTime(startsAt, timeZone) : day;
    return ticketTypes
      .filter(({ saleState }) => saleState === 'OPEN')
      .map(({ id, name, left, price }) => ({
        ...{ id, price, left, isToday },
        label: `${title} (${when}): ${name}`,
      }));
  });
}

type SaleInput =
  | { kind: 'DAY_PASS'; input: SellDayPassInput }
  | { kind: 'TICKET'; input: SellTicketInput };

async function sell({ kind, input }: SaleInput, key: string) {
  if (kind === 'DAY_PASS')
    return (await request(SELL_DAY_PASS_MUTATION, { input }, undefined, key)).sellDayPass;
  return (await request(SELL_TICKET_MUTATION, { input }, undefined, key)).sellTicket;
}

/**
 * Sells a day pass or a ticket. Sending the same input again, after a double click or a lost response, uses the same idempotency key
 * and so sells it once. Call `resetKey` when the input changes.
 */
export function useSell(onSuccess: (sale: Awaited<ReturnType<typeof sell>>) => void) {
  const key = useRef<string | null>(null);
  const resetKey = () => {
    key.current = null;
  };
  const mutation = useInvalidatingMutation(
    (input: SaleInput) => {
      key.current ??= v4();
      return sell(input, key.current).catch((error) => {
        // With the same key, the service would return the same rejection again.
        if (!isTransient(toApiError(error))) resetKey();
        throw error;
      });
    },
    [[CHECK_INS_KEY], ['orders']],
    onSuccess,
    [[SALE_CHOICES_KEY]],
  );
  return { sell: mutation, resetKey };
}
