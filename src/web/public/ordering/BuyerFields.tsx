import { SimpleGrid, TextInput } from '@mantine/core';
import type { BuyerValues } from './buyer.ts';
import type { Concern } from './refusal.ts';

type Field = keyof BuyerValues;

interface Props {
  inputProps: (field: Field) => object;
  /** What the service said of one of them. */
  refusal: { concern: Concern; message: string } | null;
  /** There is nothing to take off from what is free. */
  withDiscount: boolean;
}

export function BuyerFields({ inputProps, refusal, withDiscount }: Props) {
  const props = (field: Field) => ({
    ...inputProps(field),
    ...(refusal?.concern === field && { error: refusal.message }),
  });
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput label="Your name" autoComplete="name" maxLength={100} {...props('name')} />
        <TextInput
          label="Your e-mail address"
          description="The tickets go there"
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
