import type { Location } from 'react-router';
import type { Viewer } from './viewer.ts';

/** The sign-in, remembering the place that was asked for. */
export function toSignInPath({ pathname, search }: Location, { sessionEnded }: Viewer): string {
  const place = pathname + search;
  const query = new URLSearchParams();
  if (place !== '/') query.set('next', place);
  if (sessionEnded) query.set('ended', '');
  return `/sign-in?${query}`.replace(/\?$/, '');
}

/** Only places of this panel: an address from elsewhere is not followed. */
export function parseReturnUrl(query: URLSearchParams): string {
  const next = query.get('next') ?? '/';
  return /^\/(?![/\\])/.test(next) ? next : '/';
}
