import { z } from 'zod';
import { errorReasonList } from '../core/error-reasons.ts';
import { CHANGE_TYPES, type ChangeType, describeChange } from '../journal/catalog.ts';
import { PAYLOAD_SCHEMAS } from '../journal/payloads.ts';
import type { Route } from './route.ts';

/** Builds the OpenAPI 3.1 document from the route table and the types of changes. */
export function buildOpenapiDocument(routes: Route[], baseUrl: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  const schemas: Record<string, unknown> = { Error: ERROR_SCHEMA };
  for (const route of routes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: toOperation(route, schemas),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Foyer',
      version: '1',
      description: 'Workspaces, members, community events and displays.',
    },
    servers: [{ url: baseUrl }],
    paths,
    webhooks: Object.fromEntries(CHANGE_TYPES.map((type) => [type, toWebhook(type, schemas)])),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API token, created in the panel under Settings, API keys',
        },
        device: {
          type: 'http',
          scheme: 'bearer',
          description: "A display's token, unless it is part of the path",
        },
      },
      headers: { ErrorReason: ERROR_REASON_HEADER },
      schemas: { ...schemas, ErrorReason: ERROR_REASON_SCHEMA },
    },
  };
}

/** Describes the request that a webhook of an operator receives. */
const toWebhook = (type: ChangeType, schemas: Record<string, unknown>) => ({
  post: {
    summary: describeChange(type),
    requestBody: {
      required: true,
      content: toJsonContent({
        type: 'object',
        required: ['type', 'timestamp', 'data'],
        properties: {
          type: { const: type },
          timestamp: { type: 'string', format: 'date-time' },
          data: toDataSchema({ data: PAYLOAD_SCHEMAS[type] }, schemas),
        },
      }),
    },
    responses: { '2XX': { description: 'The message was received' } },
  },
});

const ERROR_REASON_HEADER = {
  description: 'The machine-readable cause of the error',
  schema: { $ref: '#/components/schemas/ErrorReason' },
};

const ERROR_REASON_SCHEMA = {
  type: 'string',
  oneOf: errorReasonList.map(({ reason, description }) => ({ const: reason, description })),
};

const ERROR_SCHEMA = {
  type: 'object',
  required: ['success', 'data'],
  additionalProperties: false,
  properties: {
    success: { const: false },
    data: { type: 'string', description: 'A message for people' },
  },
};

const ERROR_DESCRIPTIONS: Record<string, string> = {
  400: 'The request cannot be read',
  401: 'Token missing, malformed, unknown or revoked',
  403: 'The token is valid but lacks a required scope',
  404: 'No such resource, path or method',
  422: 'The request is valid JSON but violates a rule',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Shutting down, overloaded, or unable to reach the database',
};

const IDEMPOTENCY_KEY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A repeated request with the same key returns the first response for 24 hours',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** Converts a route to an OpenAPI operation. Adds named schemas to `schemas`. */
function toOperation(route: Route, schemas: Record<string, unknown>) {
  const { status = 200, canCreate, mediaType, body } = route;
  const content = mediaType
    ? { [mediaType]: { schema: { type: 'string' } } }
    : toJsonContent(toEnvelopeSchema(toDataSchema(route, schemas)));
  return {
    summary: route.summary,
    security: toSecurity(route),
    parameters: [
      ...toPathParameters(route),
      ...toQueryParameters(route),
      ...(route.method === 'POST' ? [IDEMPOTENCY_KEY_PARAMETER] : []),
    ],
    ...(body ? { requestBody: toRequestBody(body) } : {}),
    responses: {
      ...Object.fromEntries(
        [status, ...(canCreate ? [201] : [])].map((status) => [
          status,
          { description: status === 201 ? 'Created' : 'Succeeded', content },
        ]),
      ),
      ...(route.access === 'device-token' || (mediaType && mediaType !== 'application/pdf')
        ? { 304: { description: 'The version in If-None-Match is current' } }
        : {}),
      ...Object.fromEntries(
        Object.entries(ERROR_DESCRIPTIONS)
          .filter(([status]) => !(route.access === 'public' && ['401', '403'].includes(status)))
          .map(([status, description]) => [
            status,
            {
              description,
              headers: { 'Foyer-Error-Reason': { $ref: '#/components/headers/ErrorReason' } },
              content: toJsonContent({ $ref: '#/components/schemas/Error' }),
            },
          ]),
      ),
    },
  };
}

const toRequestBody = (body: z.ZodType) => ({
  required: !body.safeParse({}).success,
  content: toJsonContent(toJsonSchema(body, 'input')),
});

function toSecurity(route: Route) {
  const { access, path } = route;
  if (access === 'public') return route.optionalDeviceAuth ? [{}, { device: [] }] : [];
  if (path.includes('{device_token}')) return [];
  return [access === 'device-token' ? { device: [] } : { bearer: [access] }];
}

const toPathParameters = ({ path }: Route) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

function toQueryParameters({ query }: Route) {
  const { properties = {}, required = [] } = toJsonSchema(query, 'input') as {
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

/** Moves named schemas to the components. zod would repeat them in every schema that uses them. */
function toDataSchema({ data }: Pick<Route, 'data'>, schemas: Record<string, unknown>): object {
  const json = JSON.stringify(toJsonSchema(data, 'output'));
  const { $defs, ...schema } = JSON.parse(json.replaceAll('"#/$defs/', '"#/components/schemas/'));
  Object.assign(schemas, $defs);
  return schema;
}

function toJsonSchema(type: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io,
    reused: 'inline',
    unrepresentable: 'any',
  });
  return schema;
}

const toEnvelopeSchema = (data: object) => ({
  type: 'object',
  required: ['success', 'data'],
  additionalProperties: false,
  properties: { success: { const: true }, data },
});

const toJsonContent = (schema: object) => ({ 'application/json': { schema } });
