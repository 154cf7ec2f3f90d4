import type { BrowserContext, Page } from 'playwright-core';

/** Collects errors that the browser reports. Each one fails the run, unless the step expects it. */
export class Watch {
  private errors: string[] = [];
  private expected: RegExp | undefined;

  async watch(context: BrowserContext): Promise<void> {
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`);
      });
    });
    context.on('page', (page) => this.watchPage(page));
  }

  private watchPage(page: Page): void {
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.record(message.text());
    });
    page.on('pageerror', (error) => this.record(`${error.name}: ${error.message}`));
    page.on('request', (request) => {
      if (new URL(request.url()).hostname !== 'localhost')
        this.record(`request to ${request.url()}`);
    });
  }

  private record(error: string): void {
    if (!this.expected?.test(error)) this.errors.push(error);
  }

  /** Ignores errors that match while the work runs. */
  async expecting<T>(pattern: RegExp, work: () => Promise<T>): Promise<T> {
    this.expected = pattern;
    try {
      return await work();
    } finally {
      this.expected = undefined;
    }
  }

  /** Returns the errors since the last call. */
  take(): string[] {
    return this.errors.splice(0);
  }
}
