import { SimpleGrid, TextInput } from '@mantine/core';
import {
  type FieldViews,
  findProblem,
  getLimits,
  toLimitProps,
} from '../../components/input-values.ts';
import type { PersonInput } from '../../gql/graphql.ts';
import type { OrderFormField } from './form-errors.ts';

type BuyerField = keyof BuyerValues;

interface Props {
  inputProps: (field: BuyerField) => object;
  /** An error from the service that belongs to one of the fields. */
  formError: { field: OrderFormField; message: string } | null;
  /** Free orders need no discount code. */
  withDiscount: boolean;
}

export function BuyerFields({ inputProps, formError, withDiscount }: Props) {
  const props = (field: BuyerField) => ({
    ...inputProps(field),
    ...(formError?.field === field && { error: formError.message }),
  });
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label={BUYER_VIEWS.name.label}
          autoComplete="name"
          {...toLimitProps('PersonInput', 'name')}
          {...props('name')}
        />
        <TextInput
          label={BUYER_VIEWS.email.label}
          description="We’ll send your order here"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          type="email"
          autoComplete="email"
          {...toLimitProps('PersonInput', 'email')}
          {...props('email')}
        />
      </SimpleGrid>
      {withDiscount && (
        <TextInput
          label="Discount code (optional)"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          {...toLimitProps('PlaceOrderInput', 'discountCode')}
          maw={280}
          {...props('discountCode')}
        />
      )}
    </>
  );
}

export interface BuyerValues {
  name: string;
  email: string;
  discountCode: string;
}

export const createBuyerValues = (): BuyerValues => ({ name: '', email: '', discountCode: '' });

/** How forms show the fields of a person who orders or waits. */
export const BUYER_VIEWS: FieldViews<PersonInput> = {
  name: { label: 'Your name', missing: 'Enter your name' },
  email: { label: 'Your email address', type: 'email', missing: 'Enter your email address' },
};

const validateBuyerField = (name: keyof PersonInput) => (value: string) =>
  findProblem(getLimits('PersonInput', name), BUYER_VIEWS[name], value);

export const buyerValidation = {
  name: validateBuyerField('name'),
  email: validateBuyerField('email'),
};

export const toBuyer = ({ name, email }: BuyerValues) => ({
  name: name.trim(),
  email: email.trim(),
});

export const toDiscountCode = ({ discountCode }: BuyerValues) => discountCode.trim() || null;
