import { isEmail, isNotEmpty } from '@mantine/form';

export interface BuyerValues {
  name: string;
  email: string;
  discountCode: string;
}

export const buyerValues = (): BuyerValues => ({ name: '', email: '', discountCode: '' });

export const buyerChecks = {
  name: isNotEmpty('Type your name'),
  email: (value: string) => isEmail('Type your e-mail address')(value.trim()),
};

export const buyerOf = ({ name, email }: BuyerValues) => ({
  name: name.trim(),
  email: email.trim(),
});

export const discountIn = ({ discountCode }: BuyerValues) => discountCode.trim() || null;
