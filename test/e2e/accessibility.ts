import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const AXE_SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');

const THEMES = ['light', 'dark'] as const;

const OPTIONS: axe.RunOptions = {
  resultTypes: ['violations'],
  rules: { 'label-content-name-mismatch': { enabled: true } },
};

/** Fails if axe finds a violation in the light or dark theme. Leaves the theme as it was. */
export async function assertAccessible(page: Page, name: string): Promise<void> {
  const violations: string[] = [];
  const wasDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme });
    await settleTransitions(page);
    for (const violation of await findLastingViolations(page))
      violations.push(`${theme}: ${violation}`);
  }
  await page.emulateMedia({ colorScheme: wasDark ? 'dark' : 'light' });
  if (violations.length > 0) throw new Error(`not accessible: ${name}\n${violations.join('\n')}`);
}

/** A notification that fades out while axe runs has too little contrast for a moment, so violations must occur twice. */
async function findLastingViolations(page: Page): Promise<string[]> {
  if ((await findViolations(page)).length === 0) return [];
  await page.waitForTimeout(1_000);
  await settleTransitions(page);
  return findViolations(page);
}

async function findViolations(page: Page): Promise<string[]> {
  // Through the debugger protocol rather than a script tag, which the content security policy blocks.
  await page.evaluate(`typeof axe === 'undefined' && (0, eval)(${JSON.stringify(AXE_SOURCE)})`);
  const results = (await page.evaluate(`axe.run(document, ${JSON.stringify(OPTIONS)})`)) as {
    violations: axe.Result[];
  };
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, target }) => `${id} at ${target.join(' ')}: ${html.slice(0, 160)}`),
  );
}

/** Waits until the theme is applied and its colour transitions have ended. */
async function settleTransitions(page: Page): Promise<void> {
  await page.waitForTimeout(100);
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined))),
  );
}
