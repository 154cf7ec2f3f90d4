import { mkdirSync, writeFileSync } from 'node:fs';
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { readConfig } from '../../src/config.ts';
import { buildOpenapiDocument } from '../../src/rest/openapi/document.ts';
import type { Route } from '../../src/rest/route.ts';
import { routes } from '../../src/rest/route-table.ts';

// Types of REST for the client package, and for the pages that use REST: displays and paired kiosks. All other pages use GraphQL.

const CLIENT = new URL('../../packages/client/src/generated/', import.meta.url);
const PAGES = new URL('../../src/web/rest/', import.meta.url);

async function writeTypes(directory: URL, file: string, described: Route[]): Promise<void> {
  const document = buildOpenapiDocument(described, readConfig({}));
  const types = astToString(await openapiTypes(document as unknown as OpenAPI3));
  mkdirSync(directory, { recursive: true });
  writeFileSync(new URL(file, directory), types);
}

await writeTypes(CLIENT, 'rest-types.ts', routes);
await writeTypes(
  PAGES,
  'openapi.ts',
  routes.filter(({ path }) => path.startsWith('/displays/')),
);
process.exit(0);
