import { redact } from '../auth/secrets.ts';

/** Parameters that say nothing about a person: how much, from when, in which state, of which thing. */
const HARMLESS = new Set([
  'app_version',
  'battery',
  'date',
  'from',
  'limit',
  'location_id',
  'minutes',
  'resource_id',
  'status',
  'tag',
  'to',
  'type',
  'uptime',
]);

/** Such as a number, an id, a date or a word: whoever writes an e-mail address there does not get it into the log. */
const HARMLESS_VALUE = /^[\w:.+-]{0,40}$/;

/** Shown without their values. The names of others are made up by the caller, and may be somebody's. */
const KNOWN = new Set(['cursor', 'email', 'member_id', 'q', 'query', 'operationName', 'variables']);

const HIDDEN = '***';

/**
 * What the log may say of an address: no secrets, and no query values that identify a person. Only listed parameters
 * keep their values, so that one which is added later is hidden until somebody decides otherwise.
 */
export function toLoggableUrl(url: string): string {
  const mark = url.indexOf('?');
  if (mark === -1) return redact(url);
  const parameters = [...new URLSearchParams(url.slice(mark))].map(([name, value]) => {
    if (HARMLESS.has(name)) return `${name}=${HARMLESS_VALUE.test(value) ? value : HIDDEN}`;
    return `${KNOWN.has(name) ? name : HIDDEN}=${HIDDEN}`;
  });
  return redact(`${url.slice(0, mark)}?${parameters.join('&')}`);
}
