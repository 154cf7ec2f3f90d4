import { useSeenChange } from '../../api/change.ts';
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
  useSeenChange(
    (input: CreateMembershipInput) => request(START, { input }),
    [['members'], ['teams']],
    onSuccess,
  );

export const useEndMembership = (onSuccess: () => void) =>
  useSeenChange(
    (input: { id: string; endsOn: string }) => request(END, input),
    [['members'], ['teams']],
    onSuccess,
  );
