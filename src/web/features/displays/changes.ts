import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type {
  ClaimPairingInput,
  CreateDisplayInput,
  UpdateDisplayInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { type Display, displaysKey } from './queries.ts';

const CREATE = graphql(`
  mutation CreateDisplay($input: CreateDisplayInput!) {
    createDisplay(input: $input) {
      deviceToken
      display {
        ...Display
      }
    }
  }
`);

export const useCreateDisplay = (onSuccess: (deviceToken: string, display: Display) => void) =>
  useDisplayMutation(
    async (input: CreateDisplayInput) => (await request(CREATE, { input })).createDisplay,
    ({ deviceToken, display }) => onSuccess(deviceToken, display),
  );

const REVOKE = graphql(`
  mutation RevokeDisplay($id: ID!) {
    revokeDisplay(id: $id) {
      ...Display
    }
  }
`);

const UPDATE = graphql(`
  mutation UpdateDisplay($id: ID!, $input: UpdateDisplayInput!) {
    updateDisplay(id: $id, input: $input) {
      ...Display
    }
  }
`);

const CLAIM = graphql(`
  mutation ClaimPairing($input: ClaimPairingInput!) {
    claimPairing(input: $input) {
      display {
        ...Display
      }
    }
  }
`);

const ROTATE = graphql(`
  mutation RotateDisplayToken($id: ID!, $overlapMinutes: Int!) {
    rotateDisplayToken(id: $id, overlapMinutes: $overlapMinutes) {
      deviceToken
      display {
        ...Display
      }
    }
  }
`);

export const useRevokeDisplay = (onSuccess: () => void) =>
  useDisplayMutation((id: string) => request(REVOKE, { id }), onSuccess);

export const useUpdateDisplay = (id: string, onSuccess: (display: Display) => void) =>
  useDisplayMutation(
    async (input: UpdateDisplayInput) => (await request(UPDATE, { id, input })).updateDisplay,
    onSuccess,
  );

export const useClaimPairing = (onSuccess: (display: Display) => void) =>
  useDisplayMutation(
    async (input: ClaimPairingInput) => (await request(CLAIM, { input })).claimPairing.display,
    onSuccess,
  );

export const useRotateDisplayToken = (
  id: string,
  onSuccess: (result: { deviceToken: string; display: Display }) => void,
) =>
  useDisplayMutation(
    async (overlapMinutes: number) =>
      (await request(ROTATE, { id, overlapMinutes })).rotateDisplayToken,
    onSuccess,
  );

function useDisplayMutation<Input, Result>(
  mutationFn: (input: Input) => Promise<Result>,
  onSuccess: (result: Result) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    gcTime: 0, // an answer may hold a secret: it is not to be kept
    onSuccess: (result) => {
      onSuccess(result);
      void client.invalidateQueries({ queryKey: displaysKey });
    },
  });
}
