import { resolve } from 'node:path';
import {
  BASE_PATH_PLACEHOLDER,
  BASE_URL_PLACEHOLDER,
} from '../../../src/server/site-placeholders.ts';

/** Where the Markdown of the site is gathered. */
export const SOURCE = resolve('dist/docs-source');
/** What the service serves at /docs. */
export const OUTPUT = resolve('dist/docs');

/** The path of the site. */
export const BASE = `${BASE_PATH_PLACEHOLDER}docs/`;
/** The address of the site, in files for programs. */
export const BASE_URL = `${BASE_URL_PLACEHOLDER}docs/`;
