import type { z } from 'zod';
import { DomainError } from '../errors.ts';

/**
 * Parameters that mail programs, social networks and analytics add to links, and those with which libraries bypass caches, such as
 * `_=1700000000000`. No route has parameters of these names.
 */
const IGNORED =
  /^(utm_\w+|mtm_\w+|pk_\w+|matomo_\w+|hsa_\w+|mc_cid|mc_eid|mkt_tok|vero_id|fbclid|gclid|gclsrc|gad_source|gbraid|wbraid|dclid|msclkid|yclid|ttclid|twclid|li_fat_id|igsh|igshid|srsltid|_.*)$/;

export const isIgnoredParameter = (name: string): boolean => IGNORED.test(name);

/** PHP, Rails and axios write lists as `type[]=desk`, qs as `type[0]=desk`. */
const LIST_SUFFIX = /\[\d{0,3}\]$/;

/**
 * Reads the parameters of a URL for the schema of a query. A list can be one text with commas, a repeated parameter, or one with
 * brackets; all become one text with commas. @throws BAD_REQUEST if another parameter is given more than once.
 */
export function parseSearch(search: string, query: z.core.$ZodType): Record<string, string> {
  const parameters: Record<string, string> = Object.create(null);
  for (const [given, value] of new URLSearchParams(search)) {
    if (isIgnoredParameter(given)) continue;
    const plain = given.replace(LIST_SUFFIX, '');
    const name = plain !== given && isListParameter(query, plain) ? plain : given;
    const before = parameters[name];
    if (before !== undefined && !isListParameter(query, name))
      throw new DomainError('BAD_REQUEST', `${name}: is given more than once.`, {
        reason: 'INVALID_INPUT',
      });
    parameters[name] = before === undefined ? value : `${before},${value}`;
  }
  return parameters;
}

/** Whether the schema of a query has a list of this name, which `listParameter` has made. */
function isListParameter(query: z.core.$ZodType, name: string): boolean {
  const { def } = (query as z.core.$ZodTypes)._zod;
  if (def.type === 'pipe') return isListParameter(def.in, name);
  if (def.type !== 'object' || !Object.hasOwn(def.shape, name)) return false;
  let field = def.shape[name] as z.core.$ZodTypes;
  while ('innerType' in field._zod.def) field = field._zod.def.innerType as z.core.$ZodTypes;
  const { def: inner } = field._zod;
  return inner.type === 'pipe' && (inner.out as z.core.$ZodTypes)._zod.def.type === 'array';
}
