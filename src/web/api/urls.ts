const adminUrl = new URL('.', document.baseURI);

/** Where the panel's own paths begin, without a slash at the end. */
export const ADMIN_PATH = adminUrl.pathname.replace(/\/$/, '');

/** Where those of the members begin: beside the panel, out of the same build. */
export const MEMBER_PATH = new URL('../my', adminUrl).pathname;

/** An address of the service that this panel belongs to; the panel lives one step below it. */
export const toServiceUrl = (path: string) => new URL(`../${path}`, adminUrl).href;
