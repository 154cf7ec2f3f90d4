import { useChange } from '../../api/change.ts';
import { request } from '../../api/request.ts';
import type { BookingInput, BookingSeriesInput } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { AFFECTED } from './changes.ts';

const CREATE = graphql(`
  mutation CreateBooking($input: BookingInput!) {
    createBooking(input: $input) {
      ...Booking
    }
  }
`);

const CREATE_SERIES = graphql(`
  mutation CreateBookingSeries($input: BookingSeriesInput!) {
    createBookingSeries(input: $input) {
      bookings {
        id
        startsAt
      }
    }
  }
`);

export interface Booked {
  count: number;
  /** Null where none of a series could be had. */
  firstStart: string | null;
}

export const useCreateBooking = (onSuccess: (booked: Booked) => void) =>
  useChange(
    async (wish: { one: BookingInput } | { series: BookingSeriesInput }): Promise<Booked> => {
      if ('one' in wish) {
        const { createBooking } = await request(CREATE, { input: wish.one });
        return { count: 1, firstStart: createBooking.startsAt };
      }
      const { createBookingSeries } = await request(CREATE_SERIES, { input: wish.series });
      const { bookings } = createBookingSeries;
      return { count: bookings.length, firstStart: bookings[0]?.startsAt ?? null };
    },
    AFFECTED,
    onSuccess,
  );
