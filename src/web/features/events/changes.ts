import { useChange } from '../../api/change.ts';
import { request } from '../../api/request.ts';
import type { CreateEventInput, UpdateEventInput } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

/** All that hangs on an event: what it sells, who has ordered and who waits. */
export const AFFECTED = ['events', 'orders', 'discounts', 'waitlist', 'refunds', 'day'].map(
  (key) => [key],
);

const CREATE = graphql(`
  mutation CreateEvent($input: CreateEventInput!) {
    createEvent(input: $input) {
      id
      title
    }
  }
`);

const UPDATE = graphql(`
  mutation UpdateEvent($id: ID!, $input: UpdateEventInput!) {
    updateEvent(id: $id, input: $input) {
      id
      title
    }
  }
`);

const PUBLISH = graphql(`
  mutation PublishEvent($id: ID!) {
    publishEvent(id: $id) {
      id
    }
  }
`);

const CANCEL = graphql(`
  mutation CancelEvent($id: ID!, $reason: String) {
    cancelEvent(id: $id, reason: $reason) {
      id
    }
  }
`);

const DELETE = graphql(`
  mutation DeleteEvent($id: ID!) {
    deleteEvent(id: $id) {
      id
    }
  }
`);

/** Makes one, or changes the one that is named. */
export const useSaveEvent = (onSuccess: (event: { id: string; title: string }) => void) =>
  useChange(
    async (change: { create: CreateEventInput } | { id: string; update: UpdateEventInput }) =>
      'create' in change
        ? (await request(CREATE, { input: change.create })).createEvent
        : (await request(UPDATE, { id: change.id, input: change.update })).updateEvent,
    AFFECTED,
    onSuccess,
  );

export const usePublishEvent = (onSuccess: () => void) =>
  useChange((id: string) => request(PUBLISH, { id }), AFFECTED, onSuccess);

export const useCancelEvent = (onSuccess: () => void) =>
  useChange(
    (input: { id: string; reason: string | null }) => request(CANCEL, input),
    AFFECTED,
    onSuccess,
  );

/** Its page is left, so it is not asked for any more; unless it was refused, and says why. */
export const useDeleteEvent = (onSuccess: () => void) =>
  useChange((id: string) => request(DELETE, { id }), [['events', 'list']], onSuccess, AFFECTED);
