import type { z } from 'zod';
import { dataSchema, envelope, json, schemaOf } from './json-schema.ts';
import type { Route } from './route.ts';

const ERRORS: Record<string, string> = {
  400: 'The request cannot be read',
  401: 'Token missing, malformed, unknown or revoked',
  403: 'The token is valid and its scopes do not cover the endpoint',
  404: 'No such resource, path or method',
  422: 'The body was read and breaks a rule',
  429: 'Too many requests',
  500: 'A failure on our side',
  503: 'Shutting down, overloaded, or without its database',
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key and request within 24 hours is answered as the first time',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** One entry of the table in OpenAPI. Schemas that have a name are added to `schemas`. */
export function operation(entry: Route, schemas: Record<string, unknown>) {
  const { status = 200, mayCreate, mediaType, body } = entry;
  const content = mediaType
    ? { [mediaType]: { schema: { type: 'string' } } }
    : json(envelope(dataSchema(entry, schemas)));
  return {
    summary: entry.summary,
    security: security(entry),
    parameters: [
      ...pathParameters(entry),
      ...queryParameters(entry),
      ...(entry.method === 'POST' ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(body ? { requestBody: requestBody(body) } : {}),
    responses: {
      ...Object.fromEntries(
        [status, ...(mayCreate ? [201] : [])].map((status) => [
          status,
          { description: status === 201 ? 'Created' : 'Succeeded', content },
        ]),
      ),
      ...(entry.access === 'device-token' || mediaType
        ? { 304: { description: 'The version named in If-None-Match is current' } }
        : {}),
      ...Object.fromEntries(
        Object.entries(ERRORS)
          .filter(([status]) => !(entry.access === 'public' && ['401', '403'].includes(status)))
          .map(([status, description]) => [
            status,
            {
              description,
              headers: { 'Foyer-Error-Reason': { $ref: '#/components/headers/ErrorReason' } },
              content: json({ $ref: '#/components/schemas/Error' }),
            },
          ]),
      ),
    },
  };
}

const requestBody = (body: z.ZodType) => ({
  required: !body.safeParse({}).success,
  content: json(schemaOf(body, 'input')),
});

function security(entry: Route) {
  if (entry.access === 'public') return entry.knowsDevices ? [{}, { device: [] }] : [];
  const { access, path } = entry;
  if (path.includes('{device_token}')) return [];
  return [
    {
      [access === 'device-token' ? 'device' : 'bearer']: access === 'device-token' ? [] : [access],
    },
  ];
}

const pathParameters = ({ path }: Route) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

function queryParameters({ query }: Route) {
  const { properties = {}, required = [] } = schemaOf(query, 'input') as {
    properties?: Record<string, object>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}
