/** A number as its input holds it: empty text while there is none. */
type Amount = number | string;

/** The order limits of an event or a day pass type, as a form holds them. Empty is automatic. */
export interface OrderLimitValues {
  maxSeatsPerEmail: Amount;
  maxSeatsPerAddress: Amount;
  maxSeatsPerNetwork: Amount;
  limitWindowHours: Amount;
  confirmFreeOrders: 'auto' | 'yes' | 'no';
}

interface OrderLimits {
  maxSeatsPerEmail: number | null;
  maxSeatsPerAddress: number | null;
  maxSeatsPerNetwork: number | null;
  limitWindowHours: number;
  confirmFreeOrders: boolean | null;
}

const DEFAULT_WINDOW_HOURS = 24;

export const toLimitValues = (limits: OrderLimits | null | undefined): OrderLimitValues => ({
  maxSeatsPerEmail: limits?.maxSeatsPerEmail ?? '',
  maxSeatsPerAddress: limits?.maxSeatsPerAddress ?? '',
  maxSeatsPerNetwork: limits?.maxSeatsPerNetwork ?? '',
  limitWindowHours: limits?.limitWindowHours ?? DEFAULT_WINDOW_HOURS,
  confirmFreeOrders:
    limits?.confirmFreeOrders == null ? 'auto' : limits.confirmFreeOrders ? 'yes' : 'no',
});

export const toLimitInput = (values: OrderLimitValues): OrderLimits => ({
  maxSeatsPerEmail: toNumber(values.maxSeatsPerEmail),
  maxSeatsPerAddress: toNumber(values.maxSeatsPerAddress),
  maxSeatsPerNetwork: toNumber(values.maxSeatsPerNetwork),
  limitWindowHours: toNumber(values.limitWindowHours) ?? DEFAULT_WINDOW_HOURS,
  confirmFreeOrders:
    values.confirmFreeOrders === 'auto' ? null : values.confirmFreeOrders === 'yes',
});

const toNumber = (amount: Amount) => (amount === '' ? null : Number(amount));
