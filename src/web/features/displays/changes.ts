import { useChange } from '../../api/change.ts';
import { request } from '../../api/request.ts';
import type {
  ClaimPairingInput,
  CreateDisplayInput,
  UpdateDisplayInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { useSecretChange } from '../../ui/secret/use-secret-change.ts';
import { type Display, displaysKey } from './queries.ts';
import { tokenSecret } from './token-secret.ts';

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

export const useCreateDisplay = (onSuccess: () => void) =>
  useSecretChange(
    async (input: CreateDisplayInput) => (await request(CREATE, { input })).createDisplay,
    [displaysKey],
    ({ deviceToken, display }) => tokenSecret(`${display.name} is ready`, deviceToken),
    onSuccess,
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
  useChange((id: string) => request(REVOKE, { id }), [displaysKey], onSuccess);

export const useUpdateDisplay = (id: string, onSuccess: (display: Display) => void) =>
  useChange(
    async (input: UpdateDisplayInput) => (await request(UPDATE, { id, input })).updateDisplay,
    [displaysKey],
    onSuccess,
  );

export const useClaimPairing = (onSuccess: (display: Display) => void) =>
  useChange(
    async (input: ClaimPairingInput) => (await request(CLAIM, { input })).claimPairing.display,
    [displaysKey],
    onSuccess,
  );

export const useRotateDisplayToken = (id: string, onSuccess: () => void) =>
  useSecretChange(
    async (overlapHours: number) =>
      (await request(ROTATE, { id, overlapMinutes: overlapHours * 60 })).rotateDisplayToken,
    [displaysKey],
    ({ deviceToken, display }) => tokenSecret(`New token for ${display.name}`, deviceToken),
    onSuccess,
  );
