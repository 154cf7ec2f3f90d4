/** A request line can contain an absolute URL, as proxies send it. */
export const toPath = (target: string) =>
  target.startsWith('/')
    ? target
    : target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/');

/** Some proxies strip the path of BASE_URL and others do not. Both work. */
export function stripBasePath(url: string, basePath: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest.startsWith('/')) return rest;
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return url; // a longer path that begins with the same letters
}

const ENCODED_OCTET = /%[0-9a-f]{2}/gi;
/** The characters whose encoded form means the same (RFC 3986, 6.2.2.2). */
const UNRESERVED = /[\w.~-]/;

/** Decodes what need not be encoded in a path, so that `/%62ookings` is `/bookings` to every API. */
export function normalizePath(url: string): string {
  if (!url.includes('%')) return url;
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const decoded = path.replace(ENCODED_OCTET, (octet) => {
    const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
    return UNRESERVED.test(character) ? character : octet;
  });
  return decoded + url.slice(path.length);
}
