import { useQuery } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type { OrderPageQuery } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const REFRESH_SECONDS = 30;

export type OrderDetails = OrderPageQuery['orderById'];

const ONE = graphql(`
  query OrderPage($id: ID!) {
    orderById(id: $id) {
      ...OrderInList
      memberId
      discountCode
      paidAt
      cancelledAt
      discount {
        amount
        currency
      }
      paid {
        amount
        currency
      }
      event {
        status
        startsAt
        endsAt
        timeZone
        locationName
      }
      items {
        unitPrice {
          amount
          currency
        }
      }
      tickets {
        id
        code
        status
        attendee {
          name
          email
        }
        ticketType {
          name
        }
        price {
          amount
          currency
        }
      }
      dayPasses {
        id
        code
        status
        validOn
        locationName
        holder {
          name
          email
        }
        dayPassType {
          name
        }
        price {
          amount
          currency
        }
      }
      refunds {
        ...RefundInList
      }
    }
  }
`);

export const useOrder = (id: string) =>
  useQuery({
    queryKey: ['orders', 'one', id],
    staleTime: 0, // what is left to give back is said from it
    refetchInterval: REFRESH_SECONDS * 1000,
    queryFn: async ({ signal }) => (await request(ONE, { id }, signal)).orderById,
  });
