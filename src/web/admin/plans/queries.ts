import { useQuery } from '@tanstack/react-query';
import {
  type RecordChange,
  useInvalidatingMutation,
  useRefetchingMutation,
} from '../../api/mutations.ts';
import { fetchAllPages } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type {
  ChangePlanInput,
  CreateMembershipInput,
  CreatePlanInput,
  EndMembershipInput,
  MembershipFragment,
  PlanFragment,
  UpdatePlanInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type Plan = PlanFragment;

graphql(`
  fragment Plan on Plan {
    id
    updatedAt
    name
    interval
    active
    price {
      amount
      currency
    }
    benefits {
      resourceType
      includedHours
      discountPercent
      limitHours
    }
  }
`);

export type ListedPlan = Plan & { memberCount: number };

const PLANS_QUERY = graphql(`
  query Plans($after: String) {
    plans(first: 50, after: $after) {
      edges {
        node {
          ...Plan
          memberCount
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

export const usePlans = () =>
  useQuery({
    queryKey: ['plans'],
    queryFn: ({ signal }) =>
      fetchAllPages<ListedPlan>(
        async (after) => (await request(PLANS_QUERY, { after }, signal)).plans,
        signal,
      ),
  });

const CREATE_PLAN_MUTATION = graphql(`
  mutation CreatePlan($input: CreatePlanInput!) {
    createPlan(input: $input) {
      plan {
        ...Plan
      }
    }
  }
`);

const UPDATE_PLAN_MUTATION = graphql(`
  mutation UpdatePlan($input: UpdatePlanInput!) {
    updatePlan(input: $input) {
      plan {
        ...Plan
      }
    }
  }
`);

/** Creates a plan, or updates the one with the given id. */
export const useSavePlan = (onSuccess: (plan: Plan) => void) =>
  useInvalidatingMutation(
    async (change: RecordChange<CreatePlanInput, UpdatePlanInput>) =>
      'create' in change
        ? (await request(CREATE_PLAN_MUTATION, { input: change.create })).createPlan.plan
        : (await request(UPDATE_PLAN_MUTATION, { input: change.update })).updatePlan.plan,
    [['plans']],
    onSuccess,
  );

export type Membership = MembershipFragment;
/** The holder of a membership: a member or a team. */
export type MembershipHolder = { memberId: string } | { teamId: string };

graphql(`
  fragment Membership on Membership {
    id
    updatedAt
    startsOn
    endsOn
    allowedActions {
      end
      changePlan
      delete
    }
    nextMembership {
      id
      startsOn
      plan {
        name
      }
      allowedActions {
        undoPlanChange
      }
    }
    plan {
      id
      name
      interval
      price {
        amount
        currency
      }
      benefits {
        resourceType
        includedHours
        discountPercent
        limitHours
      }
    }
  }
`);

const START_MEMBERSHIP_MUTATION = graphql(`
  mutation StartMembership($input: CreateMembershipInput!) {
    createMembership(input: $input) {
      membership {
        ...Membership
      }
    }
  }
`);

const CHANGE_PLAN_MUTATION = graphql(`
  mutation ChangePlan($input: ChangePlanInput!) {
    changePlan(input: $input) {
      membership {
        ...Membership
      }
    }
  }
`);

const UNDO_PLAN_CHANGE_MUTATION = graphql(`
  mutation UndoPlanChange($id: ID!) {
    undoPlanChange(input: { id: $id }) {
      deletedMembershipId
    }
  }
`);

const DELETE_MEMBERSHIP_MUTATION = graphql(`
  mutation DeleteMembership($id: ID!) {
    deleteMembership(input: { id: $id }) {
      deletedMembershipId
    }
  }
`);

const END_MEMBERSHIP_MUTATION = graphql(`
  mutation EndMembership($input: EndMembershipInput!) {
    endMembership(input: $input) {
      membership {
        ...Membership
      }
    }
  }
`);

export const useStartMembership = (onSuccess: () => void) =>
  useRefetchingMutation(
    (input: CreateMembershipInput) => request(START_MEMBERSHIP_MUTATION, { input }),
    [['members'], ['teams']],
    onSuccess,
  );

export const useEndMembership = (onSuccess: () => void) =>
  useRefetchingMutation(
    (input: EndMembershipInput) => request(END_MEMBERSHIP_MUTATION, { input }),
    [['members'], ['teams']],
    onSuccess,
  );

export const useChangePlan = (onSuccess: () => void) =>
  useRefetchingMutation(
    (input: ChangePlanInput) => request(CHANGE_PLAN_MUTATION, { input }),
    [['members'], ['teams']],
    onSuccess,
  );

export const useUndoPlanChange = (onSuccess: () => void) =>
  useRefetchingMutation(
    (id: string) => request(UNDO_PLAN_CHANGE_MUTATION, { id }),
    [['members'], ['teams']],
    onSuccess,
  );

export const useDeleteMembership = (onSuccess: () => void) =>
  useRefetchingMutation(
    (id: string) => request(DELETE_MEMBERSHIP_MUTATION, { id }),
    [['members'], ['teams']],
    onSuccess,
  );
