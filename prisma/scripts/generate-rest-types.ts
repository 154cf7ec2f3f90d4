import { mkdirSync, writeFileSync } from 'node:fs';
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { buildOpenapiDocument } from '../../src/rest/openapi.ts';
import { routes } from '../../src/rest/route-table.ts';

// Types for the pages that use REST: displays and paired kiosks. All other pages use GraphQL.
const deviceRoutes = routes.filter(({ path }) => path.startsWith('/displays/'));
const document = buildOpenapiDocument(deviceRoutes, 'http://localhost:4000');

const directory = new URL('../../src/web/rest/', import.meta.url);
mkdirSync(directory, { recursive: true });
const types = astToString(await openapiTypes(document as unknown as OpenAPI3));
writeFileSync(new URL('openapi.ts', directory), types);
process.exit(0);
