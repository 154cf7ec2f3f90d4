import { existsSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { createSharedCalls } from '../core/shared-calls.ts';
import type { AnonymousExecution } from '../graphql/anonymous-execution.ts';
import type { SpaceSettings } from '../languages/space-settings.ts';
import { type CacheableBody, toCacheableBody } from './cacheable-response.ts';
import { createDocument, type RenderedPage } from './page-template.ts';

const RENDERER = new URL('../../dist/renderer/renderer.js', import.meta.url);

/** As in the bundle of the pages. */
export type PageName =
  | { page: 'events'; tag: string }
  | { page: 'event'; slug: string }
  | { page: 'day-passes' }
  | { page: 'not-found' };

/** The bundle of the pages. */
interface Renderer {
  load(
    name: PageName,
    source: { baseUrl: string; execute: AnonymousExecution; settings: SpaceSettings },
  ): Promise<object | null>;
  render(
    name: PageName,
    loaded: object | null,
    options: { baseUrl: string; now: Date; settings: SpaceSettings },
  ): Promise<RenderedPage>;
}

/** Renders public pages as people see them who are not signed in. */
export interface RenderedPages {
  /** Returns null if the pages are not built. @throws NOT_FOUND */
  get(name: PageName): Promise<CacheableBody | null>;
}

/** Less than browsers take data as current, so that they need not load it again. */
const KEPT_MS = 5_000;
const MAX_KEPT_PAGES = 100;

export function createRenderedPages(options: {
  baseUrl: string;
  now: () => Date;
  execute: AnonymousExecution;
  readSettings: () => Promise<SpaceSettings>;
  /** The bundle of the pages, if not that of the build. */
  rendererUrl?: URL;
}): RenderedPages {
  const { baseUrl, now, execute, readSettings, rendererUrl = RENDERER } = options;
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, '');
  const share = createSharedCalls();
  const kept = new LRUCache<string, { version: string; body: CacheableBody }>({
    max: MAX_KEPT_PAGES,
  });
  // Loaded for the first page, since it takes memory.
  let renderer: Promise<Renderer> | undefined;
  let attempts = 0;

  /** Node remembers a module that failed, so that another attempt needs another URL. */
  async function importRenderer(): Promise<Renderer> {
    const url = attempts === 0 ? rendererUrl.href : `${rendererUrl.href}?attempt=${attempts}`;
    attempts += 1;
    return import(url);
  }

  /**
   * Every request reads what the page shows, so a change shows at once. Requests for the same page at the same time share the
   * statements. The markup is kept for a few seconds while the data is the same.
   */
  async function read(name: PageName, key: string): Promise<CacheableBody> {
    renderer ??= importRenderer().catch((error: unknown) => {
      renderer = undefined;
      throw error;
    });
    const { load, render } = await renderer;
    const settings = await readSettings();
    const loaded = await load(name, { baseUrl, execute, settings });
    const date = now();
    const version = JSON.stringify([Math.floor(date.getTime() / KEPT_MS), settings, loaded]);
    const known = kept.get(key);
    if (known?.version === version) return known.body;
    const page = await render(name, loaded, { baseUrl, now: date, settings });
    const html = createDocument(page, basePath, settings);
    // The data says when it was read.
    const identity = html.replace(page.data, () => page.data.replace(/"readAt":\d+/, ''));
    const body = await toCacheableBody('text/html', html, identity);
    kept.set(key, { version, body });
    return body;
  }

  return {
    get: async (name) => {
      if (!existsSync(rendererUrl)) return null;
      const key = JSON.stringify(name);
      return share(key, () => read(name, key));
    },
  };
}
