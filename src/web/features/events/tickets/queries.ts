import { useChange } from '../../../api/change.ts';
import { request } from '../../../api/request.ts';
import type { CreateTicketTypeInput, UpdateTicketTypeInput } from '../../../gql/graphql.ts';
import { graphql } from '../../../gql/index.ts';
import { AFFECTED } from '../changes.ts';

const CREATE = graphql(`
  mutation CreateTicketType($input: CreateTicketTypeInput!) {
    createTicketType(input: $input) {
      id
      name
    }
  }
`);

const UPDATE = graphql(`
  mutation UpdateTicketType($id: ID!, $input: UpdateTicketTypeInput!) {
    updateTicketType(id: $id, input: $input) {
      id
      name
    }
  }
`);

const DELETE = graphql(`
  mutation DeleteTicketType($id: ID!) {
    deleteTicketType(id: $id) {
      id
    }
  }
`);

/** Makes one, or changes the one that is named. */
export const useSaveTicketType = (onSuccess: (type: { name: string }) => void) =>
  useChange(
    async (
      change: { create: CreateTicketTypeInput } | { id: string; update: UpdateTicketTypeInput },
    ) =>
      'create' in change
        ? (await request(CREATE, { input: change.create })).createTicketType
        : (await request(UPDATE, { id: change.id, input: change.update })).updateTicketType,
    AFFECTED,
    onSuccess,
  );

export const useDeleteTicketType = (onSuccess: () => void) =>
  useChange((id: string) => request(DELETE, { id }), AFFECTED, onSuccess);
