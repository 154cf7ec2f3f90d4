import { existsSync } from 'node:fs';
import { createSharedCalls } from '../core/shared-calls.ts';
import type { AnonymousExecution } from '../graphql/anonymous-execution.ts';
import { type CacheableBody, toCacheableBody } from './cacheable-response.ts';
import { createDocument, type RenderedPage } from './page-template.ts';

const RENDERER = new URL('../../dist/renderer/renderer.js', import.meta.url);

/** As in the bundle of the pages. */
export type PageName =
  | { page: 'events'; tag: string }
  | { page: 'event'; slug: string }
  | { page: 'day-passes' }
  | { page: 'not-found' };

interface Renderer {
  render(
    name: PageName,
    source: { baseUrl: string; now: Date; execute: AnonymousExecution },
  ): Promise<RenderedPage>;
}

/** Renders public pages as people see them who are not signed in. */
export interface RenderedPages {
  /** Returns null if the pages are not built. @throws NOT_FOUND */
  get(name: PageName): Promise<CacheableBody | null>;
}

export function createRenderedPages(options: {
  baseUrl: string;
  now: () => Date;
  execute: AnonymousExecution;
}): RenderedPages {
  const { baseUrl, now, execute } = options;
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, '');
  // A page costs a few milliseconds, and requests for the same page at the same time share it. So nothing is kept, and a
  // change shows at once.
  const share = createSharedCalls();
  // Loaded for the first page, since it takes memory.
  let renderer: Promise<Renderer> | undefined;

  async function render(name: PageName): Promise<CacheableBody> {
    renderer ??= import(RENDERER.href) as Promise<Renderer>;
    const page = await (await renderer).render(name, { baseUrl, now: now(), execute });
    const html = createDocument(page, basePath);
    // The data says when it was read.
    const identity = html.replace(page.data, () => page.data.replace(/"readAt":\d+/, ''));
    return toCacheableBody('text/html', html, identity);
  }

  return {
    get: async (name) =>
      existsSync(RENDERER) ? share(JSON.stringify(name), () => render(name)) : null,
  };
}
