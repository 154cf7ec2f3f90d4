import { type GraphQLSchema, isObjectType, lexicographicSortSchema, printSchema } from 'graphql';
import { builder } from './builder.ts';
import './errors.ts';
import { getFieldAccess } from './field-access.ts';
import './list-fields.ts';
import { collectNodeTypes } from './node.ts';
import { assertProjectionsAreComplete } from './planned/assert-projections.ts';
import '../features/sign-in/graphql.ts';
import '../features/bookings/graphql/booking.ts';
import '../features/bookings/graphql/change-booking.ts';
import '../features/bookings/graphql/create-series.ts';
import '../features/bookings/graphql/public-availability.ts';
import '../features/bookings/graphql/queries.ts';
import '../features/bookings/graphql/resource-availability.ts';
import '../features/calendar-feeds/graphql.ts';
import '../features/check-ins/lookup/graphql.ts';
import '../features/check-ins/graphql/attempts.ts';
import '../features/check-ins/graphql/check-ins.ts';
import '../features/check-ins/graphql/expected-arrivals.ts';
import '../features/check-ins/graphql/occupancy.ts';
import '../features/day-passes/graphql.ts';
import '../features/discounts/graphql.ts';
import '../features/displays/announcements/graphql.ts';
import '../features/displays/graphql.ts';
import '../features/email-preferences/graphql.ts';
import '../features/email-templates/graphql.ts';
import '../features/events/graphql/queries.ts';
import '../features/events/graphql/types.ts';
import '../features/event-management/graphql/allowed-actions.ts';
import '../features/event-management/graphql/edit-event.ts';
import '../features/event-management/graphql/ticket-types.ts';
import '../features/changes/graphql.ts';
import '../features/closures/graphql.ts';
import '../features/imports/graphql.ts';
import '../features/mailings/graphql.ts';
import '../features/mails/graphql.ts';
import '../features/mails/test-email/graphql.ts';
import '../features/members/graphql/email-change.ts';
import '../features/members/graphql/members.ts';
import '../features/payments/graphql/payments.ts';
import '../features/payments/graphql/booking-payments.ts';
import '../features/front-desk/graphql.ts';
import '../features/orders/graphql/admissions.ts';
import '../features/orders/graphql/holds.ts';
import '../features/orders/graphql/lists.ts';
import '../features/orders/graphql/mutations.ts';
import '../features/orders/graphql/queries.ts';
import '../features/orders/graphql/types.ts';
import '../features/orders/graphql/waitlist.ts';
import '../features/personal-data/graphql.ts';
import '../features/plans/graphql/memberships.ts';
import '../features/plans/graphql/plans.ts';
import '../features/settings/graphql.ts';
import '../features/setup/graphql.ts';
import '../features/spaces/graphql/locations.ts';
import '../features/spaces/graphql/opening-hours.ts';
import '../features/spaces/graphql/resources.ts';
import '../features/staff/graphql.ts';
import '../features/system/graphql.ts';
import '../features/takings/graphql.ts';
import '../features/teams/graphql.ts';
import '../features/tokens/graphql.ts';
import '../features/webhooks/graphql.ts';
import '../imports/graphql.ts';

export const schema = builder.toSchema({ sortSchema: true });
assertFieldsDeclareAccess(schema);
assertRulesNameAccess(schema);
assertLimitedFieldsUseResolvers(schema);
assertProjectionsAreComplete(schema);
collectNodeTypes(schema);

export const printSortedSchema = () => `${printSchema(lexicographicSortSchema(schema))}\n`;

/** Prevents the process from starting while a root field does not declare its access. */
export function assertFieldsDeclareAccess(schema: GraphQLSchema): void {
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
          `${root?.name}.${field.name} declares no scope; use { access: 'public' } if it is public`,
        );
      }
    }
  }
}

/** Prevents the process from starting while a field has a rule for its access, but does not name one that suffices for all rows. */
function assertRulesNameAccess(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) getFieldAccess(field);
  }
}

/**
 * Prevents the process from starting while a query that counts requests or guesses describes its rows: PostgreSQL would answer
 * it without the resolver, and so without counting.
 */
export function assertLimitedFieldsUseResolvers(schema: GraphQLSchema): void {
  for (const { name, extensions } of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    const { list, row, pothosOptions } = extensions as {
      list?: unknown;
      row?: unknown;
      pothosOptions?: { rateLimit?: unknown; guess?: unknown };
    };
    const isLimited = pothosOptions?.rateLimit !== undefined || pothosOptions?.guess !== undefined;
    if (isLimited && (list !== undefined || row !== undefined))
      throw new Error(
        `Query.${name} declares rateLimit or guess, which a planned query does not apply; remove the list or row from its extensions`,
      );
  }
}
