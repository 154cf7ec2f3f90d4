import type { Route } from '../route.ts';
import { HEADERS, PARAMETERS, RESPONSES, SCHEMAS, SECURITY_SCHEMES } from './components.ts';
import { addExamples } from './examples.ts';
import { listTags } from './names.ts';
import { toOperation } from './operation.ts';
import { createSchemaConverter, extendSchemas } from './schemas.ts';
import { describeWebhooks } from './webhooks.ts';

/**
 * Builds the OpenAPI 3.1 document from the route table and the types of changes. The contact is the operator: the address of
 * the service, and the sender of its emails.
 */
export function buildOpenapiDocument(
  routes: Route[],
  { baseUrl, mailFrom }: { baseUrl: string; mailFrom: string },
) {
  const converter = createSchemaConverter();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: toOperation(route, converter),
    };
  }
  const webhooks = describeWebhooks(converter);
  const schemas = Object.assign(converter.components, SCHEMAS);
  addExamples(schemas);
  extendSchemas(schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Foyer',
      version: '1',
      summary: 'Workspaces, members, community events and displays',
      description:
        'The REST API of a coworking space, for websites, devices and scripts. Every response has two members: `success`, and `data`, which is an object on success and a message for people on failure. Every response has the header `X-Request-Id`: the id of the request in logs and in the journal, which a client can choose with the same header. GraphQL, at `/graphql`, offers everything.',
      contact: {
        name: 'The operator of this service',
        url: baseUrl,
        email: /<([^<>]+)>/.exec(mailFrom)?.[1] ?? mailFrom,
      },
      license: { name: 'MIT License', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: baseUrl, description: 'This service' }],
    tags: listTags(routes),
    paths,
    webhooks,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: { ...converter.parameters, ...PARAMETERS },
      headers: HEADERS,
      responses: RESPONSES,
      schemas,
    },
  };
}
