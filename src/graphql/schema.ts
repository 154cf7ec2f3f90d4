import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { builder } from './builder.ts';
import './scalars.ts';
import './error-reasons.ts';
import '../auth/graphql.ts';
import '../features/bookings/graphql.ts';
import '../features/calendar-feeds/graphql.ts';
import '../features/check-ins/lookup/graphql.ts';
import '../features/check-ins/graphql.ts';
import '../features/day-passes/edit/graphql.ts';
import '../features/day-passes/graphql.ts';
import '../features/discounts/graphql.ts';
import '../features/displays/announcements/graphql.ts';
import '../features/check-ins/live/graphql.ts';
import '../features/displays/graphql.ts';
import '../features/displays/live/graphql.ts';
import '../features/displays/pairing/graphql.ts';
import '../features/events/edit/graphql.ts';
import '../features/events/graphql.ts';
import '../features/events/ticket-types/graphql.ts';
import '../features/mails/graphql.ts';
import '../features/members/edit/graphql.ts';
import '../features/members/email/graphql.ts';
import '../features/members/graphql.ts';
import '../features/payments/graphql.ts';
import '../features/orders/changes/graphql.ts';
import '../features/orders/graphql.ts';
import '../features/orders/holds/graphql.ts';
import '../features/orders/place/graphql.ts';
import '../features/orders/portal/graphql.ts';
import '../features/orders/waitlist/graphql.ts';
import '../features/personal-data/graphql.ts';
import '../features/plans/edit/graphql.ts';
import '../features/plans/graphql.ts';
import '../features/plans/memberships/edit/graphql.ts';
import '../features/plans/memberships/graphql.ts';
import '../features/spaces/graphql.ts';
import '../features/staff/graphql.ts';
import '../features/teams/graphql.ts';
import '../features/tokens/graphql.ts';
import '../features/webhooks/graphql.ts';

export const schema = builder.toSchema({ sortSchema: true });
refuseUnguarded(schema);

export const printedSchema = () => `${printSchema(lexicographicSortSchema(schema))}\n`;

/** The process must not start while a root field says nothing about who may use it. */
export function refuseUnguarded(schema: GraphQLSchema): void {
  for (const root of [
    schema.getQueryType(),
    schema.getMutationType(),
    schema.getSubscriptionType(),
  ]) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      const options = field.extensions.pothosOptions as
        | { authScopes?: { access?: unknown } }
        | undefined;
      if (options?.authScopes?.access === undefined) {
        throw new Error(
          `${root?.name}.${field.name} declares no scope; write { access: 'public' } if it is open`,
        );
      }
    }
  }
}
