import { useInvalidatingMutation } from '../../api/mutations.ts';
import { request } from '../../api/request.ts';
import type {
  CreateEventInput,
  CreateTicketTypeInput,
  UpdateEventInput,
  UpdateTicketTypeInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

/** The queries that depend on an event: its sales, orders and waiting list. */
export const EVENT_QUERY_KEYS = ['events', 'orders', 'discounts', 'waitlist', 'refunds', 'day'].map(
  (key) => [key],
);

const CREATE_EVENT_MUTATION = graphql(`
  mutation CreateEvent($input: CreateEventInput!) {
    createEvent(input: $input) {
      id
      title
    }
  }
`);

const UPDATE_EVENT_MUTATION = graphql(`
  mutation UpdateEvent($id: ID!, $input: UpdateEventInput!) {
    updateEvent(id: $id, input: $input) {
      id
      title
    }
  }
`);

const PUBLISH_EVENT_MUTATION = graphql(`
  mutation PublishEvent($id: ID!) {
    publishEvent(id: $id) {
      id
    }
  }
`);

const CANCEL_EVENT_MUTATION = graphql(`
  mutation CancelEvent($id: ID!, $reason: String) {
    cancelEvent(id: $id, reason: $reason) {
      id
    }
  }
`);

const DELETE_EVENT_MUTATION = graphql(`
  mutation DeleteEvent($id: ID!) {
    deleteEvent(id: $id) {
      id
    }
  }
`);

/** Creates a record, or updates the one with the given id. */
export const useSaveEvent = (onSuccess: (event: { id: string; title: string }) => void) =>
  useInvalidatingMutation(
    async (change: { create: CreateEventInput } | { id: string; update: UpdateEventInput }) =>
      'create' in change
        ? (await request(CREATE_EVENT_MUTATION, { input: change.create })).createEvent
        : (await request(UPDATE_EVENT_MUTATION, { id: change.id, input: change.update }))
            .updateEvent,
    EVENT_QUERY_KEYS,
    onSuccess,
  );

export const usePublishEvent = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (id: string) => request(PUBLISH_EVENT_MUTATION, { id }),
    EVENT_QUERY_KEYS,
    onSuccess,
  );

export const useCancelEvent = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (input: { id: string; reason: string | null }) => request(CANCEL_EVENT_MUTATION, input),
    EVENT_QUERY_KEYS,
    onSuccess,
  );

/** Refetches the event only after a failure, as its page closes after a success. */
export const useDeleteEvent = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (id: string) => request(DELETE_EVENT_MUTATION, { id }),
    [['events', 'list']],
    onSuccess,
    EVENT_QUERY_KEYS,
  );

const CREATE_TICKET_TYPE_MUTATION = graphql(`
  mutation CreateTicketType($input: CreateTicketTypeInput!) {
    createTicketType(input: $input) {
      id
      name
    }
  }
`);

const UPDATE_TICKET_TYPE_MUTATION = graphql(`
  mutation UpdateTicketType($id: ID!, $input: UpdateTicketTypeInput!) {
    updateTicketType(id: $id, input: $input) {
      id
      name
    }
  }
`);

const DELETE_TICKET_TYPE_MUTATION = graphql(`
  mutation DeleteTicketType($id: ID!) {
    deleteTicketType(id: $id) {
      id
    }
  }
`);

/** Creates a record, or updates the one with the given id. */
export const useSaveTicketType = (onSuccess: (type: { name: string }) => void) =>
  useInvalidatingMutation(
    async (
      change: { create: CreateTicketTypeInput } | { id: string; update: UpdateTicketTypeInput },
    ) =>
      'create' in change
        ? (await request(CREATE_TICKET_TYPE_MUTATION, { input: change.create })).createTicketType
        : (await request(UPDATE_TICKET_TYPE_MUTATION, { id: change.id, input: change.update }))
            .updateTicketType,
    EVENT_QUERY_KEYS,
    onSuccess,
  );

export const useDeleteTicketType = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (id: string) => request(DELETE_TICKET_TYPE_MUTATION, { id }),
    EVENT_QUERY_KEYS,
    onSuccess,
  );
