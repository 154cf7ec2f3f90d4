import type { RequestListener } from 'node:http';
import type { Dependencies } from '../server/dependencies.ts';
import { handleRequest } from './handle-request.ts';
import type { Route } from './route.ts';

/**
 * Serves routes with `fastPath: true` without Express, whose overhead exceeds the cost of these responses. It matches fixed
 * paths, with or without one parameter at the end. All other requests go to Express, which serves every route.
 */
export function createFastPath(
  rest: RequestListener,
  deps: Dependencies,
  routes: Route[],
): RequestListener {
  const byPath = new Map<string, Route>();
  const byPrefix = new Map<string, { route: Route; name: string }>();
  for (const route of routes) {
    if (route.method !== 'GET' || !route.fastPath) continue;
    const [, prefix, name] = /^([^{}]*)(?:\/\{(\w+)\})?$/.exec(route.path) ?? [];
    if (prefix === undefined) continue;
    if (name === undefined) byPath.set(prefix, route);
    else byPrefix.set(prefix, { route, name });
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
      return handleRequest(match.route, deps, req, res, {
        params: { [match.name]: value },
        search,
      });
    }
    return rest(req, res);
  };
}
