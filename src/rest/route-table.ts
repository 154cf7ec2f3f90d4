import type { Express } from 'express';
import { routes as bookings } from '../features/bookings/rest.ts';
import { routes as calendarFeeds } from '../features/calendar-feeds/rest.ts';
import { routes as changes } from '../features/changes/rest.ts';
import { routes as lookup } from '../features/check-ins/lookup/rest.ts';
import { routes as checkIns } from '../features/check-ins/rest.ts';
import { routes as dayPasses } from '../features/day-passes/rest.ts';
import { displayRoutes as displays, pairingRoutes as pairings } from '../features/displays/rest.ts';
import {
  routes as emailPreferences,
  registerEmailPreferenceRoutes,
} from '../features/email-preferences/rest.ts';
import { eventRoutes as events, registerSitemap } from '../features/events/rest.ts';
import { routes as members } from '../features/members/rest.ts';
import {
  changeOrderRoutes,
  orderDocumentRoutes,
  orderRoutes,
  placeOrderRoutes,
} from '../features/orders/rest.ts';
import { registerPaymentRoutes } from '../features/payments/rest.ts';
import { registerEmbedPages } from '../features/spaces/embeds/rest.ts';
import { routes as spaces } from '../features/spaces/rest.ts';
import type { Dependencies } from '../server/dependencies.ts';
import { objectRoutes } from './object-routes.ts';
import type { CallerRoute, Route } from './route.ts';

/** Used for the HTTP status of the event pages, which are not part of this table. */
export { isEventVisible } from '../features/events/service/get-event.ts';

export const routes: Route[] = [
  ...bookings,
  ...calendarFeeds,
  ...changes,
  ...checkIns,
  ...dayPasses,
  ...displays,
  ...emailPreferences,
  ...events,
  ...lookup,
  ...members,
  ...orderRoutes,
  ...changeOrderRoutes,
  ...pairings,
  ...placeOrderRoutes,
  ...orderDocumentRoutes,
  ...spaces,
  ...objectRoutes,
];

/** Prevents the process from starting while a route does not declare its access. */
export function assertRoutesDeclareAccess(table: Route[]): void {
  for (const route of table) {
    const { access, method, path } = route;
    if (!access)
      throw new Error(`${method} ${path} declares no scope; use access: 'public' if it is public`);
    if ('cache' in route && !isSameForEveryone(route))
      throw new Error(`${method} ${path} depends on its caller, so proxies must not store it`);
  }
}

const isSameForEveryone = ({ access, method, optionalAuth, optionalDeviceAuth }: CallerRoute) =>
  access === 'public' && method === 'GET' && !optionalAuth && !optionalDeviceAuth;

assertRoutesDeclareAccess(routes);

/** Registers pages for people and callbacks of providers, which are not part of the REST API. */
export function registerPages(app: Express, deps: Dependencies): void {
  registerPaymentRoutes(app, deps);
  registerEmailPreferenceRoutes(app, deps);
  registerSitemap(app, deps);
  registerEmbedPages(app, deps);
}
