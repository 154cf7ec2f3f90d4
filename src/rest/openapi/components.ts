import { errorReasonList } from '../../core/error-reasons.ts';
import { ERROR_CODES } from '../../errors.ts';
import type { JsonSchema } from './schemas.ts';

// What operations share: parameters, headers, responses to errors, and the schemas of errors.

export const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      "An API token, created in the panel under Settings, API keys. Paths of displays and kiosks accept a display's token instead.",
  },
};

export const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'A repeated request with the same key returns the first response for 24 hours',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '2b1f6c0e-8f0c-4c57-a3f5-6f1f0f3f1d52',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'The ETag of the version that the client has. If it is current, the response is 304.',
    schema: { type: 'string' },
    example: '"o7hW2xN0"',
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    required: false,
    description:
      'Send errors=detailed to get the member `error` in responses to errors (RFC 7240). All operations accept it.',
    schema: { type: 'string' },
    example: 'errors=detailed',
  },
  MessageId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'Identifies the message. It is the same in every attempt to deliver it.',
    schema: { type: 'string' },
  },
  Timestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'When this attempt was made, in seconds since 1970. It is part of what is signed.',
    schema: { type: 'integer' },
  },
  Signature: {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      'The signatures of the message with the secrets of the webhook, as Standard Webhooks specifies them: v1 and a base64 text each, separated by spaces',
    schema: { type: 'string' },
  },
};

export const HEADERS = {
  CacheControl: {
    description: 'How long browsers and proxies can reuse the response',
    schema: { type: 'string' },
  },
  ErrorReason: {
    description: 'The machine-readable cause of the error',
    schema: { $ref: '#/components/schemas/ErrorReason' },
  },
  ETag: {
    description: 'The version of the content, for If-None-Match',
    schema: { type: 'string' },
  },
  PreferenceApplied: {
    description: 'errors=detailed, if the request preferred it',
    schema: { type: 'string', enum: ['errors=detailed'] },
  },
  RequestId: {
    description: 'The id of the request in logs and in the journal',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'After how many seconds to try again, with 429 and 503',
    schema: { type: 'integer', minimum: 0 },
  },
  WwwAuthenticate: {
    description: 'Bearer, with 401: the request needs a token',
    schema: { type: 'string', enum: ['Bearer'] },
  },
};

type ComponentKind = 'headers' | 'parameters' | 'responses' | 'schemas';

export const toRef = (kind: ComponentKind, name: string) => ({
  $ref: `#/components/${kind}/${name}`,
});

/** The responses that operations share, by the names of their components. */
export const RESPONSES = {
  Error: {
    description: [
      'The request failed.',
      '400: it cannot be read.',
      '401: the token is missing, malformed, unknown or revoked.',
      '403: the token is valid but lacks a required scope.',
      '404: there is no such resource, path or method.',
      '422: it is valid JSON but violates a rule.',
      '429: there were too many requests.',
      '500: an internal error.',
      '503: the service shuts down, is overloaded, or cannot reach the database.',
    ].join(' '),
    headers: {
      'Foyer-Error-Reason': toRef('headers', 'ErrorReason'),
      'Preference-Applied': toRef('headers', 'PreferenceApplied'),
      'Retry-After': toRef('headers', 'RetryAfter'),
      'WWW-Authenticate': toRef('headers', 'WwwAuthenticate'),
      'X-Request-Id': toRef('headers', 'RequestId'),
    },
    content: { 'application/json': { schema: toRef('schemas', 'Error') } },
  },
  NotModified: {
    description: 'The version in If-None-Match is current',
    headers: { ETag: toRef('headers', 'ETag'), 'X-Request-Id': toRef('headers', 'RequestId') },
  },
};

/** The responses to errors, which all operations have. */
export const ERROR_RESPONSES = {
  '4XX': toRef('responses', 'Error'),
  '5XX': toRef('responses', 'Error'),
};

export const SCHEMAS: Record<string, JsonSchema> = {
  Error: {
    type: 'object',
    description: 'The response to a request that failed',
    required: ['success', 'data'],
    additionalProperties: false,
    properties: {
      success: { type: 'boolean', enum: [false], description: 'Whether the request succeeded' },
      data: { type: 'string', description: 'A message for people' },
      error: {
        $ref: '#/components/schemas/ErrorDetails',
        description: 'Only if the request has the header Prefer: errors=detailed',
      },
    },
    examples: [{ success: false, data: 'This needs the scope bookings:read.' }],
  },
  ErrorDetails: {
    type: 'object',
    description:
      'The error for programs. Some reasons add members, such as the alternatives to a slot that is taken.',
    required: ['code', 'reason'],
    additionalProperties: true,
    properties: {
      code: { type: 'string', enum: [...ERROR_CODES], description: 'The kind of the error' },
      reason: toRef('schemas', 'ErrorReason'),
      fields: {
        type: 'array',
        description: 'The fields of the body, or the parameters, that are invalid',
        items: toRef('schemas', 'InvalidField'),
      },
      retry_after_seconds: { type: 'integer', description: 'As in the header Retry-After' },
    },
    examples: [
      {
        code: 'VALIDATION',
        reason: 'INVALID_INPUT',
        fields: [{ field: 'email', message: 'must be an email address' }],
      },
    ],
  },
  InvalidField: {
    type: 'object',
    description: 'A field or a parameter, and what is wrong with it',
    required: ['message'],
    properties: {
      field: {
        type: 'string',
        description: 'Its path, such as guest.email; missing if the whole body is invalid',
      },
      message: { type: 'string', description: 'What is wrong, to follow its name' },
    },
    examples: [{ field: 'email', message: 'must be an email address' }],
  },
  ErrorReason: {
    type: 'string',
    description:
      'The machine-readable cause of an error. GraphQL lists their meanings: `{ errorReasons { reason description } }`. More can be added at any time.',
    enum: errorReasonList.map(({ reason }) => reason),
  },
};
