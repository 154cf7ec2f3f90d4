import { resolve } from 'node:path';

/** Where the Markdown of the site is gathered. */
export const SOURCE = resolve('dist/docs-source');
/** What the service serves at /docs. */
export const OUTPUT = resolve('dist/docs');

/** Stands for the path of the service, which is known only when it starts. `src/server/docs-site.ts` replaces both. */
export const BASE = '/__foyer_base__/docs/';
/** Stands for the address of the service in files for programs. */
export const BASE_URL = 'https://__foyer_url__/docs/';
