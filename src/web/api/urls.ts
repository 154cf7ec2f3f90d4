/**
 * While the service renders a page, there is no document and the base path is not known. Addresses are then relative to the
 * <base> of the page, which is the panel.
 */
const adminUrl = typeof document === 'undefined' ? null : new URL('.', document.baseURI);

/** The base path of the panel, without a trailing slash. */
export const ADMIN_PATH = adminUrl === null ? '.' : adminUrl.pathname.replace(/\/$/, '');

/** The base path of the member pages, a sibling of the panel. */
export const MEMBER_PATH = adminUrl === null ? '../my' : new URL('../my', adminUrl).pathname;

/** The URL of a service path. The service root is one level above the panel. */
export const toServiceUrl = (path: string) =>
  adminUrl === null ? `../${path}` : new URL(`../${path}`, adminUrl).href;

/** The base path of the widgets, which other websites show in a frame. */
export const EMBED_PATH = adminUrl === null ? '../embed' : new URL('../embed', adminUrl).pathname;

/** Whether this page is a widget. */
export const isEmbedded = () => location.pathname.startsWith(`${EMBED_PATH}/`);
