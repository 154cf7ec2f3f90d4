// The documentation site is built before anybody knows where it will be served. The build writes these texts, and
// `docs-site.ts` replaces them.

/** Stands for the path of the service, with a slash at both ends. */
export const BASE_PATH_PLACEHOLDER = '/__foyer_base__/';

/** Stands for the public URL of the service, with a slash at the end. */
export const BASE_URL_PLACEHOLDER = 'https://__foyer_url__/';
