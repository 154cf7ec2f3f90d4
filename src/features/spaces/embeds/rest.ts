import type { Express, Request, Response } from 'express';
import { anonymous } from '../../../auth/viewer.ts';
import { findClientAddress } from '../../../core/client-ip.ts';
import { html, renderHtmlPage, toHtmlPageHeaders } from '../../../core/html-page.ts';
import type { Dependencies } from '../../../server/dependencies.ts';
import { createShell, isPageBuilt, toPageHeaders } from '../../../server/page-template.ts';
import { isEmbedOrigin, listEmbedOrigins } from './service.ts';

/** What a frame costs of the budget of an address: one short statement. The widget in it sends queries, which cost more. */
const FRAME_POINTS = 10;

const EMBED_PAGES = ['/embed/events', '/embed/events/:slug', '/embed/rooms', '/embed/orders'];

/**
 * Registers the pages of widgets, which other websites show in a frame. Browsers show them only on the websites that the
 * locations list. On others, the frame says so, since browsers do not.
 */
export function registerEmbedPages(
  app: Express,
  { anonymousContext, config, queryBudget, readPageSettings }: Dependencies,
): void {
  const { origin: ownOrigin, pathname } = new URL(config.baseUrl);
  const basePath = pathname.replace(/\/$/, '');

  app.get(EMBED_PAGES, async (req, res, next) => {
    if (!isPageBuilt('index.html')) return next();
    queryBudget.charge(anonymous, findClientAddress(req, config.trustProxy), FRAME_POINTS);
    res.vary('referer');
    const website = findWebsite(req);
    // The frame itself, after it has loaded again: the website is not known, and the browser checks the whole list.
    const isKnown = website !== null && website !== ownOrigin;
    if (isKnown && !(await isEmbedOrigin(anonymousContext, website)))
      return sendUnlisted(res, website);
    const ancestors = isKnown ? [website] : await listEmbedOrigins(anonymousContext);
    res.set({
      ...toPageHeaders({ frameAncestors: [...ancestors, "'self'"] }),
      'cache-control': 'no-cache',
    });
    const settings = await readPageSettings();
    res.type('html').send(await createShell('index.html', basePath, { settings }));
  });

  function sendUnlisted(res: Response, website: string): void {
    const page = renderHtmlPage(
      'This website cannot show this widget',
      html`<p>${website} is not in the list of websites that can show it.</p>
<p>Is this your website? Ask the people who run ${config.baseUrl} to add its address: in the admin panel under Spaces, in
the details of a location, as a website with widgets.</p>`,
    );
    // The page has no links, forms or scripts, so that any website can show it.
    res.writeHead(403, {
      ...toHtmlPageHeaders([], '*'),
      'content-length': Buffer.byteLength(page),
    });
    res.end(page);
  }
}

/** Returns the website that loads the frame. The widgets' script makes browsers send it. */
function findWebsite({ headers: { referer } }: Request): string | null {
  return referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : null;
}
