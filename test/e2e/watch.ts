import type { BrowserContext, Page } from 'playwright-core';

/** Notes what a browser complains about: anything is a failure, unless a step says that it causes it. */
export class Watch {
  private complaints: string[] = [];
  private expected: RegExp | undefined;

  async over(context: BrowserContext): Promise<void> {
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`);
      });
    });
    context.on('page', (page) => this.overPage(page));
  }

  private overPage(page: Page): void {
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.note(message.text());
    });
    page.on('pageerror', (error) => this.note(`${error.name}: ${error.message}`));
    page.on('request', (request) => {
      if (new URL(request.url()).hostname !== 'localhost') this.note(`asked ${request.url()}`);
    });
  }

  private note(complaint: string): void {
    if (!this.expected?.test(complaint)) this.complaints.push(complaint);
  }

  /** While the work goes on, complaints of this kind are what it is about. */
  async expecting<T>(kind: RegExp, work: () => Promise<T>): Promise<T> {
    this.expected = kind;
    try {
      return await work();
    } finally {
      this.expected = undefined;
    }
  }

  /** What came up since the last time. */
  take(): string[] {
    return this.complaints.splice(0);
  }
}
