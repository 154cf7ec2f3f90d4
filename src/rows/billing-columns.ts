import { boundedText, countryCode, singleLine } from '../core/validation.ts';
import type { ErasureKind } from './row.ts';

/** What invoices need to know about a customer. */
export const BILLING_FIELDS = ['address', 'postcode', 'city', 'country', 'customerNumber'] as const;
export type BillingField = (typeof BILLING_FIELDS)[number];

/** Describes where the bills of a customer go. A member or a team can be a customer. */
export const describeBillingColumns = <Erasure extends ErasureKind>(erasure: Erasure) => {
  const column = {
    access: 'members:read',
    whenNull: 'null if it is unknown',
    create: 'optional',
    update: true,
    erasure,
  } as const;
  return {
    address: {
      ...column,
      schema: boundedText(200).nullable(),
      description: 'Street and number, without postcode and city',
    },
    postcode: { ...column, schema: singleLine(20).nullable(), description: 'The postcode' },
    city: { ...column, schema: singleLine(100).nullable(), description: 'The city' },
    country: {
      ...column,
      schema: countryCode.nullable(),
      description: 'The country, as in ISO 3166-1 alpha-2, such as DE',
    },
    customerNumber: {
      ...column,
      schema: singleLine(50).nullable(),
      description: 'The number of the customer in the accounts, which nobody else has',
      whenNull: 'null if there is none',
    },
  } satisfies Record<BillingField, object>;
};
