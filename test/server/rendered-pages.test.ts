import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createCacheableFile } from '../../src/server/cacheable-response.ts';
import { DEFAULT_PAGE_SETTINGS } from '../../src/server/page-settings.ts';
import { createRenderedPages } from '../../src/server/rendered-pages.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'renderer-'));
});
afterAll(() => rm(folder, { recursive: true }));

const RENDERER = `
  export const load = async () => ({});
  export const render = async () => ({ head: '', body: '<p>Events</p>', data: '', modules: [] });
`;

describe('rendered pages', () => {
  it('are shown once their bundle can be loaded', async () => {
    const path = join(folder, 'renderer.mjs');
    const pages = createRenderedPages({
      ...{ baseUrl: 'https://foyer.test', now: () => new Date(), rendererUrl: pathToFileURL(path) },
      execute: () => Promise.reject(new Error('not used')),
      readSettings: async () => DEFAULT_PAGE_SETTINGS,
    });
    const open = () => pages.get({ page: 'events', tag: '' });
    expect(await open()).toBeNull();
    await writeFile(path, 'throw new Error("out of memory");');
    await expect(open()).rejects.toThrow('out of memory');
    await writeFile(path, RENDERER);
    expect((await open())?.text).toContain('<p>Events</p>');
  });
});

describe('a public file', () => {
  it('is compressed only after a change', async () => {
    const toBody = createCacheableFile('application/xml');
    const first = await toBody('<one/>');
    expect(await toBody(['<one', '/>'].join(''))).toBe(first);
    const second = await toBody('<two/>');
    expect([second.text, second.etag === first.etag]).toEqual(['<two/>', false]);
  });
});
