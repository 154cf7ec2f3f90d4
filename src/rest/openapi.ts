import { errorReasons } from '../error-reasons.ts';
import { operation } from './operation.ts';
import type { Route } from './route.ts';

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
      headers: { ErrorReason: REASON },
      schemas: { ...schemas, ErrorReason: REASONS },
    },
  };
}

const REASON = {
  description: 'Why, for programs',
  schema: { $ref: '#/components/schemas/ErrorReason' },
};

const REASONS = {
  type: 'string',
  oneOf: errorReasons.map(({ reason, description }) => ({ const: reason, description })),
};

const ERROR = {
  type: 'object',
  required: ['success', 'data'],
  additionalProperties: false,
  properties: {
    success: { const: false },
    data: { type: 'string', description: 'For a person to read' },
  },
};
