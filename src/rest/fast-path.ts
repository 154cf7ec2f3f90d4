import type { RequestListener } from 'node:http';
import type { Dependencies } from '../server/dependencies.ts';
import { handleRequest } from './handle-request.ts';
import type { Route } from './route.ts';

/**
 * Serves the routes with `fastPath: true` without Express, which costs more than their responses do. It matches fixed
 * paths and fixed paths with one parameter at the end. All other requests go to Express, which serves every route.
 */
export function createFastPath(
  rest: RequestListener,
  deps: Dependencies,
  routes: Route[],
): RequestListener {
  const byPath = new Map<string, Route>();
  const byPrefix = new Map<string, { entry: Route; name: string }>();
  for (const entry of routes) {
    if (entry.method !== 'GET' || !entry.fastPath) continue;
    const [, prefix, name] = /^([^{}]*)(?:\/\{(\w+)\})?$/.exec(entry.path) ?? [];
    if (prefix === undefined) continue;
    if (name === undefined) byPath.set(prefix, entry);
    else byPrefix.set(prefix, { entry, name });
  }

  return (req, res) => {
    const { method, url = '' } = req;
    if (method !== 'GET') return rest(req, res);
    const mark = url.indexOf('?');
    const path = mark === -1 ? url : url.slice(0, mark);
    const search = mark === -1 ? '' : url.slice(mark);
    const exact = byPath.get(path);
    if (exact) return handleRequest(exact, deps, req, res, { params: {}, search });
    const slash = path.lastIndexOf('/');
    const match = byPrefix.get(path.slice(0, slash));
    const value = path.slice(slash + 1);
    if (match && /^[\w-]+$/.test(value)) {
      return handleRequest(match.entry, deps, req, res, {
        params: { [match.name]: value },
        search,
      });
    }
    return rest(req, res);
  };
}
