import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type {
  BookingInput,
  BookingSeriesInput,
  PreviewMoveQueryVariables,
  PreviewSeriesQuery,
  PricePreviewFragment,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type PricePreview = PricePreviewFragment;
export type SeriesPreview = PreviewSeriesQuery['previewBookingSeries'];
export type Slot = PricePreview['alternatives'][number];

graphql(`
  fragment PricePreview on BookingPreview {
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
`);

const PREVIEW_BOOKING_QUERY = graphql(`
  query PreviewBooking($input: BookingInput!) {
    previewBooking(input: $input) {
      ...PricePreview
    }
  }
`);

const PREVIEW_MOVE_QUERY = graphql(`
  query PreviewMove($id: ID!, $startsAt: DateTime!, $endsAt: DateTime!) {
    previewReschedule(id: $id, startsAt: $startsAt, endsAt: $endsAt) {
      ...PricePreview
    }
  }
`);

const PREVIEW_SERIES_QUERY = graphql(`
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

export const useBookingPreview = (input: BookingInput | null) =>
  useQuery({
    queryKey: ['booking-preview', input],
    enabled: input !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    queryFn: async ({ signal }) =>
      input && (await request(PREVIEW_BOOKING_QUERY, { input }, signal)).previewBooking,
  });

/** Ignores the booking itself when looking for conflicts. */
export const useReschedulePreview = (move: PreviewMoveQueryVariables | null) =>
  useQuery({
    queryKey: ['booking-preview', 'move', move],
    enabled: move !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    queryFn: async ({ signal }) =>
      move && (await request(PREVIEW_MOVE_QUERY, move, signal)).previewReschedule,
  });

export const useSeriesPreview = (input: BookingSeriesInput | null) =>
  useQuery({
    queryKey: ['booking-preview', 'series', input],
    enabled: input !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    queryFn: async ({ signal }) =>
      input && (await request(PREVIEW_SERIES_QUERY, { input }, signal)).previewBookingSeries,
  });
