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
