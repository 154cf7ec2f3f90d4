const adminUrl = new URL('.', document.baseURI);

/** The base path of the panel, without a trailing slash. */
export const ADMIN_PATH = adminUrl.pathname.replace(/\/$/, '');

/** The base path of the member pages, a sibling of the panel. */
export const MEMBER_PATH = new URL('../my', adminUrl).pathname;

/** The URL of a service path. The service root is one level above the panel. */
export const toServiceUrl = (path: string) => new URL(`../${path}`, adminUrl).href;
