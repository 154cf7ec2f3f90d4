import type { RequestListener } from 'node:http';
import type { Dependencies } from '../server/dependencies.ts';
import { handleRequest } from './handle-request.ts';
import type { Route } from './route.ts';

/**
 * Serves the routes that say `fastPath: true` without Express, which costs more than their responses do. It matches
 * fixed paths, and fixed paths with one parameter at the end. Every other request goes to Express, which serves all
 * routes, these included.
 */
export function createFastPath(
  rest: RequestListener,
  deps: Dependencies,
  routes: Route[],
): RequestListener {
  const plain = new Map<string, Route>();
  const withParameter = new Map<string, { entry: Route; name: string }>();
  for (const entry of routes) {
    if (entry.method !== 'GET' || !entry.fastPath) continue;
    const [, prefix, name] = /^([^{}]*)(?:\/\{(\w+)\})?$/.exec(entry.path) ?? [];
    if (prefix === undefined) continue;
    if (name === undefined) plain.set(prefix, entry);
    else withParameter.set(prefix, { entry, name });
  }

  return (req, res) => {
    const { method, url = '' } = req;
    if (method !== 'GET') return rest(req, res);
    const mark = url.indexOf('?');
    const path = mark === -1 ? url : url.slice(0, mark);
    const search = mark === -1 ? '' : url.slice(mark);
    const exact = plain.get(path);
    if (exact) return handleRequest(exact, deps, req, res, { params: {}, search });
    const slash = path.lastIndexOf('/');
    const found = withParameter.get(path.slice(0, slash));
    const value = path.slice(slash + 1);
    if (found && /^[\w-]+$/.test(value)) {
      return handleRequest(found.entry, deps, req, res, {
        params: { [found.name]: value },
        search,
      });
    }
    return rest(req, res);
  };
}
