import type { Money as Value } from '../values.ts';
import { builder } from './builder.ts';

export const Money = builder.objectRef<Value>('Money');
Money.implement({
  fields: (t) => ({
    amount: t.exposeInt('amount', { description: 'Minor units, such as cents' }),
    currency: t.exposeString('currency', { description: 'ISO 4217' }),
  }),
});

export const MoneyInput = builder.inputType('MoneyInput', {
  fields: (t) => ({
    amount: t.int({ required: true, description: 'Minor units, such as cents' }),
    currency: t.string({ required: true, description: 'ISO 4217' }),
  }),
});
