import type { Locator, Page } from 'playwright-core';

/** How long a person takes on average: to find and click something, and to type a character. */
const SECONDS = { action: 3, character: 0.3 };

/** A person in a browser, who counts each click, field and choice. */
export class Person {
  readonly page: Page;
  private actions = 0;
  private characters = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async click(target: Locator): Promise<void> {
    this.actions += 1;
    await target.click();
  }

  async type(target: Locator, text: string): Promise<void> {
    this.actions += 1;
    this.characters += text.length;
    await target.fill(text);
  }

  /** Opens a list and chooses an option, which is one action. */
  async choose(list: Locator, option: string | RegExp): Promise<void> {
    this.actions += 1;
    await list.click();
    await this.page.getByRole('option', { name: option }).first().click();
  }

  /** Switches are covered by their labels. */
  async check(target: Locator): Promise<void> {
    this.actions += 1;
    await target.check({ force: true });
  }

  async upload(target: Locator, name: string, text: string): Promise<void> {
    this.actions += 2; // opens the dialog, and chooses the file
    await target.setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  }

  press = (name: string | RegExp, within: Page | Locator = this.page): Promise<void> =>
    this.click(within.getByRole('button', { name }).first());

  /** Opens a section of the navigation. */
  open = (section: string): Promise<void> =>
    this.click(
      this.page
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link', { name: section, exact: true }),
    );

  dialog = (name: string | RegExp): Locator => this.page.getByRole('dialog', { name });

  /** Returns what was counted since the last call. */
  take(): { actions: number; seconds: number } {
    const { actions, characters } = this;
    this.actions = 0;
    this.characters = 0;
    const seconds = actions * SECONDS.action + characters * SECONDS.character;
    return { actions, seconds: Math.round(seconds) };
  }
}
