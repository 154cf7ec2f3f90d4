import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { assertAccessible } from './accessibility.ts';
import { faintTexts } from './contrast.ts';
import { OWNER, type TestService } from './service.ts';
import { Watch } from './watch.ts';

const SHOTS = process.env.SCREENSHOTS || join(tmpdir(), 'foyer-screenshots');
const WIDE = { width: 1280, height: 800 };

/** The objects that the steps share: the service, a signed-in page, and a camera. */
export async function createStage(browser: Browser, here: TestService) {
  await mkdir(SHOTS, { recursive: true });
  const watch = new Watch();
  let taken = 0;

  async function newPage(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    const context: BrowserContext = await browser.newContext({ viewport: WIDE, ...options });
    context.setDefaultTimeout(60_000);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: here.origin });
    await watch.watch(context);
    return context.newPage();
  }

  return {
    here,
    watch,
    shots: SHOTS,
    newPage,
    page: await newPage(),
    panel: (path = '') => `${here.url}/admin${path}`,
    /** Takes a screenshot and checks the page for accessibility in both themes. */
    shot: async (page: Page, name: string) => {
      await settle(page);
      taken += 1;
      const path = join(SHOTS, `${String(taken).padStart(2, '0')}-${name}.png`);
      await page.screenshot({ path });
      const faint = await faintTexts(page);
      if (faint.length > 0) throw new Error(`too faint in ${name}: ${faint.join('; ')}`);
      await assertAccessible(page, name);
    },
    signIn: async (page: Page, { email, password } = OWNER) => {
      await page.getByLabel('Email address').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
    },
  };
}

export type Stage = Awaited<ReturnType<typeof createStage>>;

/** Waits until animations have ended. */
export async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(350);
}

/** Takes a screenshot of every open page. */
export async function takeScreenshots(browser: Browser, path: string): Promise<void> {
  const pages = browser.contexts().flatMap((context) => context.pages());
  for (const [index, page] of pages.entries())
    await page.screenshot({ path: `${path}-${index + 1}.png` }).catch(() => {});
}
