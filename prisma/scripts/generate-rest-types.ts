import { mkdirSync, writeFileSync } from 'node:fs';
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { readConfig } from '../../src/config.ts';
import { buildOpenapiDocument } from '../../src/rest/openapi/document.ts';
import { routes } from '../../src/rest/route-table.ts';

// Types for the pages that use REST: displays and paired kiosks. All other pages use GraphQL.
const deviceRoutes = routes.filter(({ path }) => path.startsWith('/displays/'));
const document = buildOpenapiDocument(deviceRoutes, readConfig({}));

const directory = new URL('../../src/web/rest/', import.meta.url);
mkdirSync(directory, { recursive: true });
const types = astToString(await openapiTypes(document as unknown as OpenAPI3));
writeFileSync(new URL('openapi.ts', directory), types);
process.exit(0);
