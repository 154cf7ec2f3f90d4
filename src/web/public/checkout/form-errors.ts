import { type ApiError, toApiError } from '../../api/errors.ts';

/** The part of the order form that an error belongs to. */
export type OrderFormField = 'items' | 'name' | 'email' | 'discountCode' | 'attendees' | 'form';

const ITEM_REASONS = [
  'SOLD_OUT',
  'TOO_MANY',
  'SALE_NOT_OPEN',
  'SALE_CLOSED',
  'MEMBERS_ONLY',
  'TICKET_TYPE_UNKNOWN',
  'CURRENCY_MIXED',
  'TOO_EXPENSIVE',
  'BELOW_MINIMUM_CHARGE',
  'AMOUNT_NOT_CHARGEABLE',
  'INACTIVE',
  'DATE_PAST',
  'TOO_FAR_AHEAD',
  'CLOSED',
];

export function toOrderFormError(
  thrown: unknown,
): { field: OrderFormField; message: string } | null {
  if (!thrown) return null;
  const error = toApiError(thrown);
  // The API's message starts with the field name. The form shows the message at the field instead.
  const message = error.message.replace(/^[a-z_.\d]+: /, '');
  return { field: findErrorField(error), message };
}

function findErrorField({ details: { reason = '', fields = [] } }: ApiError): OrderFormField {
  if (reason.startsWith('DISCOUNT_')) return 'discountCode';
  if (ITEM_REASONS.includes(reason)) return 'items';
  const [{ field = '' } = {}] = fields;
  if (field.startsWith('buyer.email')) return 'email';
  if (field.startsWith('buyer.name')) return 'name';
  if (field.startsWith('discountCode')) return 'discountCode';
  return /attendees|holders/.test(field) || reason === 'TOO_MANY_ATTENDEES' ? 'attendees' : 'form';
}
