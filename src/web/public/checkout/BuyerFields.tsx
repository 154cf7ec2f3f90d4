import { SimpleGrid, TextInput } from '@mantine/core';
import { isEmail, isNotEmpty } from '@mantine/form';
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
        <TextInput label="Your name" autoComplete="name" maxLength={100} {...props('name')} />
        <TextInput
          label="Your email address"
          description="We’ll send your order here"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          type="email"
          autoComplete="email"
          maxLength={254}
          {...props('email')}
        />
      </SimpleGrid>
      {withDiscount && (
        <TextInput
          label="Discount code (optional)"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
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

export const buyerValidation = {
  name: isNotEmpty('Enter your name'),
  email: (value: string) => isEmail('Enter your email address')(value.trim()),
};

export const toBuyer = ({ name, email }: BuyerValues) => ({
  name: name.trim(),
  email: email.trim(),
});

export const toDiscountCode = ({ discountCode }: BuyerValues) => discountCode.trim() || null;
