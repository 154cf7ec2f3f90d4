import { writeFileSync } from 'node:fs';
import { renderCacheSchema } from './cache-schema.ts';

// What normalizing caches have to know about the schema, for the modules beside the generated file.

const FILE = new URL('../../packages/client/src/generated/cache-schema.ts', import.meta.url);

writeFileSync(FILE, renderCacheSchema());
