import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type { CreateMembershipInput, MembershipFragment } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type Membership = MembershipFragment;
/** Who has it: a member or a team. */
export type Holder = { memberId: string } | { teamId: string };

graphql(`
  fragment Membership on Membership {
    id
    startsOn
    endsOn
    team {
      id
      name
    }
    plan {
      ...Plan
    }
  }
`);

const START = graphql(`
  mutation StartMembership($input: CreateMembershipInput!) {
    createMembership(input: $input) {
      ...Membership
    }
  }
`);

const END = graphql(`
  mutation EndMembership($id: ID!, $endsOn: Date!) {
    endMembership(id: $id, endsOn: $endsOn) {
      ...Membership
    }
  }
`);

export const useStartMembership = (onSuccess: () => void) =>
  useMembershipMutation((input: CreateMembershipInput) => request(START, { input }), onSuccess);

export const useEndMembership = (onSuccess: () => void) =>
  useMembershipMutation((input: { id: string; endsOn: string }) => request(END, input), onSuccess);

function useMembershipMutation<Input, Result>(
  mutationFn: (input: Input) => Promise<Result>,
  onSuccess: () => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: async () => {
      await Promise.all(
        ['members', 'teams'].map((key) => client.invalidateQueries({ queryKey: [key] })),
      );
      onSuccess();
    },
  });
}
