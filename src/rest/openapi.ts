import { z } from 'zod';
import type { Route } from './route.ts';

const ERRORS: Record<string, string> = {
  400: 'The request cannot be read',
  401: 'Token missing, malformed, unknown or revoked',
  403: 'The token is valid and its scopes do not cover the endpoint',
  404: 'No such resource, path or method',
  422: 'The body was read and breaks a rule',
  429: 'Too many requests',
  500: 'A failure on our side',
  503: 'Shutting down or overloaded',
};

/** The REST door in OpenAPI 3.1, made from the very table that serves it. */
export function describe(routes: Route[], baseUrl: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  const schemas: Record<string, unknown> = { Error: ERROR };
  for (const entry of routes) {
    paths[entry.path] = {
      ...paths[entry.path],
      [entry.method.toLowerCase()]: operation(entry, schemas),
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
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API token, made under Settings, API keys',
        },
        device: {
          type: 'http',
          scheme: 'bearer',
          description: "A display's token, where it does not stand in the path",
        },
      },
      schemas,
    },
  };
}

const ERROR = {
  type: 'object',
  required: ['success', 'data'],
  additionalProperties: false,
  properties: {
    success: { const: false },
    data: { type: 'string', description: 'For a person to read' },
  },
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key and request within 24 hours is answered as the first time',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

function operation(entry: Route, schemas: Record<string, unknown>) {
  const { status = 200, mediaType, body } = entry;
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
      [status]: {
        description: status === 201 ? 'Created' : 'Succeeded',
        content: mediaType
          ? { [mediaType]: { schema: { type: 'string' } } }
          : json(envelope(dataSchema(entry, schemas))),
      },
      ...(entry.access === 'device-token' || mediaType
        ? { 304: { description: 'The version named in If-None-Match is current' } }
        : {}),
      ...Object.fromEntries(
        Object.entries(ERRORS)
          .filter(([status]) => !(entry.access === 'public' && ['401', '403'].includes(status)))
          .map(([status, description]) => [
            status,
            { description, content: json({ $ref: '#/components/schemas/Error' }) },
          ]),
      ),
    },
  };
}

const requestBody = (body: z.ZodType) => ({
  required: !body.safeParse({}).success,
  content: json(schemaOf(body, 'input')),
});

function security({ access, path }: Route) {
  if (access === 'public' || path.includes('{device_token}')) return [];
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

/** Named schemas stand beside the others, once; zod would put them into every schema that uses them. */
function dataSchema({ data }: Route, schemas: Record<string, unknown>): object {
  const written = JSON.stringify(schemaOf(data, 'output'));
  const { $defs, ...schema } = JSON.parse(
    written.replaceAll('"#/$defs/', '"#/components/schemas/'),
  );
  Object.assign(schemas, $defs);
  return schema;
}

function schemaOf(type: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io,
    reused: 'inline',
    unrepresentable: 'any',
  });
  return schema;
}

const envelope = (data: object) => ({
  type: 'object',
  required: ['success', 'data'],
  additionalProperties: false,
  properties: { success: { const: true }, data },
});

const json = (schema: object) => ({ 'application/json': { schema } });
