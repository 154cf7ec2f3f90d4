import type { z } from 'zod';
import { toPascalCase } from '../../core/letter-case.ts';
import type { Route } from '../route.ts';
import { ERROR_RESPONSES, toRef } from './components.ts';
import { getTag, toOperationId } from './names.ts';
import type { JsonSchema, SchemaConverter } from './schemas.ts';

/** Converts a route to an OpenAPI operation. */
export function toOperation(route: Route, converter: SchemaConverter) {
  const { path, summary, body, method, access } = route;
  return {
    operationId: toOperationId(route),
    tags: [getTag(path).name],
    summary,
    description: describe(route),
    security: toSecurity(route),
    ...(isScope(access) ? { 'x-required-scopes': [access] } : {}),
    parameters: [
      ...[...toPathParameters(route), ...toQueryParameters(route, converter)].map((parameter) =>
        shareParameter(parameter, converter),
      ),
      ...(method === 'POST'
        ? [toRef('parameters', 'IdempotencyKey'), toRef('parameters', 'Prefer')]
        : []),
      ...(isVersioned(route) ? [toRef('parameters', 'IfNoneMatch')] : []),
    ],
    ...(body ? { requestBody: toRequestBody(body, converter) } : {}),
    responses: {
      ...toSuccessResponses(route, converter),
      ...(isVersioned(route) ? { 304: toRef('responses', 'NotModified') } : {}),
      ...ERROR_RESPONSES,
    },
  };
}

const describe = (route: Route): string =>
  [route.description, describeAccess(route)].filter(Boolean).join(' ');

function describeAccess({ access, path }: Route): string {
  if (access === 'public') return 'Anyone can call it.';
  if (access !== 'device-token') return `Needs the scope \`${access}\`.`;
  return path.includes('{device_token}')
    ? "The path contains the display's token."
    : "Needs the display's token as a bearer token.";
}

/** A public operation can accept a token, and a display's token in the path is a parameter. */
function toSecurity({ access, path, ...route }: Route) {
  if (access === 'public') {
    const { optionalAuth, optionalDeviceAuth } = route as {
      optionalAuth?: true;
      optionalDeviceAuth?: true;
    };
    return optionalAuth || optionalDeviceAuth ? [{}, { bearer: [] }] : [];
  }
  if (path.includes('{device_token}')) return [];
  return [{ bearer: [] }];
}

/** OpenAPI has scopes for OAuth only. */
const isScope = (access: Route['access']) => access !== 'public' && access !== 'device-token';

/** Whether successful responses have an entity tag. */
const isVersioned = (route: Route) =>
  route.access === 'device-token'
    ? route.path.startsWith('/displays/state')
    : route.cache !== undefined || (route.mediaType && route.mediaType !== 'application/pdf');

const SHARED_PARAMETERS = ['cursor', 'id', 'ids', 'limit', 'secret'];

/** Makes a component of a parameter that many operations have. */
function shareParameter<Parameter extends { name: string }>(
  parameter: Parameter,
  { parameters }: SchemaConverter,
) {
  const name = toPascalCase(parameter.name);
  if (!SHARED_PARAMETERS.includes(parameter.name)) return parameter;
  parameters[name] ??= parameter;
  const isShared = JSON.stringify(parameters[name]) === JSON.stringify(parameter);
  return isShared ? toRef('parameters', name) : parameter;
}

const PATH_PARAMETERS: Record<string, string> = {
  check_out_token: 'The check_out_token of the admission',
  id: 'The UUID, as responses contain it',
  device_token: 'The token of the display, which it got when it was paired',
  id_or_slug: 'The id, or the slug, which is the name in URLs',
  poll_token: 'The poll_token of the pairing',
  secret: 'The secret of the link. Whoever has it can use the path.',
};

const toPathParameters = ({ path, pathParameters }: Route) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: pathParameters?.[name] ?? PATH_PARAMETERS[name],
    schema: { type: 'string', ...(name === 'id' ? { format: 'uuid' } : {}) },
  }));

function toQueryParameters({ query }: Route, { convert }: SchemaConverter) {
  const { properties = {}, required = [] } = convert(query, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(required.includes(name) ? { required: true } : {}),
    description,
    schema,
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
  }));
}

const toRequestBody = (body: z.ZodType, { convert }: SchemaConverter) => ({
  required: !body.safeParse({}).success,
  content: toJsonContent(convert(body, 'input')),
});

function toSuccessResponses(route: Route, { convert }: SchemaConverter) {
  const { status = 200, canCreate, mediaType } = route;
  const content = mediaType
    ? { [mediaType]: { schema: { type: 'string' } } }
    : toJsonContent(toEnvelopeSchema(convert(route.data, 'output')));
  const headers = {
    ETag: toRef('headers', 'ETag'),
    'Cache-Control': toRef('headers', 'CacheControl'),
  };
  return Object.fromEntries(
    [status, ...(canCreate ? [201] : [])].map((status) => [
      status,
      {
        description: status === 201 ? 'Created' : 'OK',
        ...(isVersioned(route) ? { headers } : {}),
        content,
      },
    ]),
  );
}

const toEnvelopeSchema = (data: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['success', 'data'],
  properties: {
    success: { type: 'boolean', enum: [true] },
    data,
  },
});

const toJsonContent = (schema: object) => ({ 'application/json': { schema } });
