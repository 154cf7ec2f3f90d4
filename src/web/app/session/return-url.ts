import type { Location } from 'react-router';
import type { Viewer } from './viewer.ts';

/** The path of the sign-in page, with the current page as return URL. */
export function toSignInPath({ pathname, search }: Location, { sessionEnded }: Viewer): string {
  const returnUrl = pathname + search;
  const query = new URLSearchParams();
  if (returnUrl !== '/') query.set('next', returnUrl);
  if (sessionEnded) query.set('ended', '');
  return `/sign-in?${query}`.replace(/\?$/, '');
}

/** Accepts paths of this panel only, never external URLs. */
export function parseReturnUrl(query: URLSearchParams): string {
  const next = query.get('next') ?? '/';
  return /^\/(?![/\\])/.test(next) ? next : '/';
}
