const panel = new URL('.', document.baseURI);

/** Where the panel's own paths begin, without a slash at the end. */
export const PANEL_PATH = panel.pathname.replace(/\/$/, '');

/** Where those of the members begin: beside the panel, out of the same build. */
export const MEMBERS_PATH = new URL('../my', panel).pathname;

/** An address of the service that this panel belongs to; the panel lives one step below it. */
export const serviceUrl = (path: string) => new URL(`../${path}`, panel).href;
