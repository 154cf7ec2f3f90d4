import { SimpleGrid, TextInput } from '@mantine/core';
import {
  type FieldViews,
  findProblem,
  getLimits,
  toLimitProps,
} from '../../components/input-values.ts';
import type { PersonInput } from '../../gql/graphql.ts';
import { getText } from '../../language/page-texts.ts';
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
          label={getBuyerViews().name.label}
          autoComplete="name"
          {...toLimitProps('PersonInput', 'name')}
          {...props('name')}
        />
        <TextInput
          label={getBuyerViews().email.label}
          description={getText('order.sentHere')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          type="email"
          autoComplete="email"
          {...toLimitProps('PersonInput', 'email')}
          {...props('email')}
        />
      </SimpleGrid>
      {withDiscount && (
        <TextInput
          label={getText('order.discountCode')}
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
export const getBuyerViews = (): FieldViews<PersonInput> => ({
  name: { label: getText('order.yourName'), missing: getText('order.yourNameMissing') },
  email: {
    label: getText('order.yourEmail'),
    type: 'email',
    missing: getText('order.yourEmailMissing'),
  },
});

const validateBuyerField = (name: keyof PersonInput) => (value: string) =>
  findProblem(getLimits('PersonInput', name), getBuyerViews()[name], value);

export const buyerValidation = {
  name: validateBuyerField('name'),
  email: validateBuyerField('email'),
};

export const toBuyer = ({ name, email }: BuyerValues) => ({
  name: name.trim(),
  email: email.trim(),
});

export const toDiscountCode = ({ discountCode }: BuyerValues) => discountCode.trim() || null;
