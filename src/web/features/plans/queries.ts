import { useQuery } from '@tanstack/react-query';
import { useChange } from '../../api/change.ts';
import { everyPage } from '../../api/pages.ts';
import { request } from '../../api/request.ts';
import type { CreatePlanInput, PlanFragment, UpdatePlanInput } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type Plan = PlanFragment;

graphql(`
  fragment Plan on Plan {
    id
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

const LIST = graphql(`
  query Plans($after: String) {
    plans(first: 50, after: $after) {
      edges {
        node {
          ...Plan
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
      everyPage<Plan>(async (after) => (await request(LIST, { after }, signal)).plans, signal),
  });

const CREATE = graphql(`
  mutation CreatePlan($input: CreatePlanInput!) {
    createPlan(input: $input) {
      ...Plan
    }
  }
`);

const UPDATE = graphql(`
  mutation UpdatePlan($id: ID!, $input: UpdatePlanInput!) {
    updatePlan(id: $id, input: $input) {
      ...Plan
    }
  }
`);

/** Makes one, or changes the one that is named. */
export const useSavePlan = (onSuccess: (plan: Plan) => void) =>
  useChange(
    async (change: { create: CreatePlanInput } | { id: string; update: UpdatePlanInput }) =>
      'create' in change
        ? (await request(CREATE, { input: change.create })).createPlan
        : (await request(UPDATE, { id: change.id, input: change.update })).updatePlan,
    [['plans']],
    onSuccess,
  );
