import { LOCAL, startApp, type TestApp } from '../support/harness/app.ts';
import { startShell } from './shell.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp({ content: 'empty', config: LOCAL });
});
afterAll(() => app.stop());

describe('the first steps', () => {
  it('lead from an empty space to a booking, an order, a webhook and a display', async () => {
    const { db } = app.ctx;
    expect([await db.location.count(), await db.apiToken.count()]).toEqual([0, 0]);
    const shell = await startShell(app);

    const outputs = await shell.runPage('docs/guides/first-steps.md').finally(shell.stop);

    expect(outputs.join('')).toContain(
      '{"data":{"viewer":{"kind":"TOKEN","name":"first-steps","scopes":["*"]}}',
    );
    expect(outputs.at(-1)?.trim()).toBe('Open evening');
    const booking = await db.booking.findFirstOrThrow({ include: { member: true } });
    expect([booking.status, booking.member?.name]).toEqual(['confirmed', 'Greta Holm']);
    const order = await db.order.findFirstOrThrow({ include: { tickets: true } });
    expect([order.status, order.tickets.length]).toEqual(['paid', 1]);
    const webhook = await db.webhookEndpoint.findFirstOrThrow();
    expect(webhook.events).toEqual(['member.*', 'booking.*']);
  });
});
