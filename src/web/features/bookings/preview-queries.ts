import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type {
  BookingInput,
  BookingSeriesInput,
  PreviewBookingQuery,
  PreviewSeriesQuery,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { useBookingMutation } from './changes.ts';

export type PricePreview = PreviewBookingQuery['previewBooking'];
export type SeriesPreview = PreviewSeriesQuery['previewBookingSeries'];
export type Slot = PricePreview['alternatives'][number];

const PREVIEW = graphql(`
  query PreviewBooking($input: BookingInput!) {
    previewBooking(input: $input) {
      allowed
      status
      freeCancellationUntil
      reasons {
        reason
        message
        overridable
      }
      price {
        amount
        currency
      }
      lines {
        kind
        minutes
        discountPercent
        amount
        pricePerHour {
          amount
          currency
        }
      }
      collisions {
        title
        holder
        startsAt
        endsAt
      }
      alternatives {
        startsAt
        endsAt
      }
    }
  }
`);

const PREVIEW_SERIES = graphql(`
  query PreviewSeries($input: BookingSeriesInput!) {
    previewBookingSeries(input: $input) {
      occurrences {
        startsAt
        endsAt
        price {
          amount
          currency
        }
      }
      conflicts {
        localStart
        reasons {
          reason
          message
          overridable
        }
      }
    }
  }
`);

export const usePreview = (input: BookingInput | null) =>
  useQuery({
    queryKey: ['booking-preview', input],
    enabled: input !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    queryFn: async ({ signal }) =>
      input && (await request(PREVIEW, { input }, signal)).previewBooking,
  });

export const useSeriesPreview = (input: BookingSeriesInput | null) =>
  useQuery({
    queryKey: ['booking-preview', 'series', input],
    enabled: input !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    queryFn: async ({ signal }) =>
      input && (await request(PREVIEW_SERIES, { input }, signal)).previewBookingSeries,
  });

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
  useBookingMutation(
    async (wish: { one: BookingInput } | { series: BookingSeriesInput }): Promise<Booked> => {
      if ('one' in wish) {
        const { createBooking } = await request(CREATE, { input: wish.one });
        return { count: 1, firstStart: createBooking.startsAt };
      }
      const { createBookingSeries } = await request(CREATE_SERIES, { input: wish.series });
      const { bookings } = createBookingSeries;
      return { count: bookings.length, firstStart: bookings[0]?.startsAt ?? null };
    },
    onSuccess,
  );
