export type { Change, ChangeBatch, ChangesOptions } from './changes.ts';
export { type Client, createClient } from './client.ts';
export type { TypedDocument, TypedText } from './documents.ts';
export {
  type ErrorCode,
  type ErrorReason,
  type FieldError,
  FoyerError,
  isFoyerError,
} from './errors.ts';
export {
  formatDecimal,
  formatMoney,
  getCurrencyDigits,
  type Money,
  toMajorUnits,
  toMinorUnits,
} from './generated/money.ts';
export type { components, operations } from './generated/rest-types.ts';
export type { CallOptions, WriteOptions } from './options.ts';
export type { RestInput, RestItem, RestResult } from './rest.ts';
export type { SubscribeOptions } from './subscriptions.ts';
export {
  type ClientOptions,
  createTransport,
  type QueryValue,
  type Transport,
  type TransportRequest,
} from './transport.ts';
