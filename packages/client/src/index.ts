export {
  type ErrorCode,
  type ErrorReason,
  type FieldError,
  FoyerError,
  isFoyerError,
} from './errors.ts';
export {
  type ClientOptions,
  createTransport,
  type QueryValue,
  type Transport,
  type TransportRequest,
} from './transport.ts';
