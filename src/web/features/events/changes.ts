import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type { CreateEventInput, UpdateEventInput } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

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
  useEventMutation(
    async (change: { create: CreateEventInput } | { id: string; update: UpdateEventInput }) =>
      'create' in change
        ? (await request(CREATE, { input: change.create })).createEvent
        : (await request(UPDATE, { id: change.id, input: change.update })).updateEvent,
    onSuccess,
  );

export const usePublishEvent = (onSuccess: () => void) =>
  useEventMutation((id: string) => request(PUBLISH, { id }), onSuccess);

export const useCancelEvent = (onSuccess: () => void) =>
  useEventMutation(
    (input: { id: string; reason: string | null }) => request(CANCEL, input),
    onSuccess,
  );

/** Its page is left, so it is not asked for any more. */
export function useDeleteEvent(onSuccess: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request(DELETE, { id }),
    onSuccess: () => {
      onSuccess();
      void client.invalidateQueries({
        queryKey: ['events'],
        predicate: ({ queryKey }) => queryKey[1] !== 'one',
      });
    },
  });
}

/** All that hangs on an event: what it sells, who has ordered and who waits. */
export function useEventMutation<Input, Result>(
  mutationFn: (input: Input) => Promise<Result>,
  onSuccess: (result: Result) => void,
) {
  const client = useQueryClient();
  const lookAgain = () =>
    Promise.all(
      ['events', 'orders', 'discounts', 'waitlist', 'refunds', 'day'].map((key) =>
        client.invalidateQueries({ queryKey: [key] }),
      ),
    );
  return useMutation({
    mutationFn,
    onSuccess: (result) => {
      onSuccess(result);
      void lookAgain();
    },
    // What was refused has mostly been changed by somebody else meanwhile.
    onError: () => void lookAgain(),
  });
}
