import { readFileSync } from 'node:fs';
import { formatTemplates, ignoreColumnWidths, replacePart } from '../../../prisma/scripts/docs.ts';
import { getDefaultWording } from '../../../src/integrations/email/template-catalog.ts';
import {
  defineTemplateEmail,
  enqueueTemplateEmails,
} from '../../../src/integrations/email/template-email.ts';
import { getEmailTexts } from '../../../src/languages/emails/email-texts.ts';
import type { Credential } from '../../support/clients/api.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

const english = getEmailTexts('en');
const CANCELLED = getDefaultWording(english, 'booking-cancelled');

let app: TestApp;
let manager: Credential;
beforeAll(async () => {
  app = await startApp();
  manager = { cookie: await app.signIn(STAFF.manager) };
});
afterEach(() => app.ctx.db.emailTemplate.deleteMany());
afterAll(() => app.stop());

const FIELDS = 'key subject body defaultSubject defaultBody isEnabled updatedAt';
const update = (input: object) =>
  app.graphql(
    `mutation ($input: UpdateEmailTemplateInput!) { updateEmailTemplate(input: $input) { emailTemplate { ${FIELDS} } } }`,
    { input: { key: 'booking-cancelled', ...input } },
    manager,
  );
const reset = (key = 'booking-cancelled') =>
  app.graphql(
    `mutation ($input: ResetEmailTemplateInput!) { resetEmailTemplate(input: $input) { emailTemplate { ${FIELDS} } } }`,
    { input: { key } },
    manager,
  );
const preview = (variables: object) =>
  app.graphql(
    'query ($key: String!, $subject: String!, $body: String!) { previewEmailTemplate(key: $key, subject: $subject, body: $body) { subject text html } }',
    { key: 'booking-cancelled', ...variables },
    manager,
  );

const VALUES = {
  ...{ resource: 'Oslo', location: 'Main house', address: null, time: 'today', times: [] },
  ...{ others: null, title: null, price: null, pending: null, reason: null, fee: null, due: null },
};
/** The email with these values. Null if it is switched off. */
const render = async (values: Partial<Record<keyof typeof VALUES, string>> = {}) => {
  const email = defineTemplateEmail(
    'booking-cancelled',
    { ...VALUES, ...values },
    { to: 'bo@example.org', frame: { recipientName: 'Bo' } },
  );
  await enqueueTemplateEmails(app.ctx, english, [email]);
  const [mail = null] = await app.ctx.db.mail.findMany();
  await app.ctx.db.mail.deleteMany();
  return mail;
};

describe('every template', () => {
  it('is documented in docs/guides/email.md; else run "npm run docs"', () => {
    const page = readFileSync('docs/guides/email.md', 'utf8');
    const generated = replacePart(page, 'templates', formatTemplates());
    expect(ignoreColumnWidths(page)).toBe(ignoreColumnWidths(generated));
  });
});

describe('an email template', () => {
  it('can be reworded, switched off and reset', async () => {
    const { data, errors } = await update({
      subject: 'Gone:\n{{resource}}',
      body: 'We are sorry.\n\n{{#reason}}Because: {{reason}}{{/reason}}',
    });
    expect(errors).toEqual([]);
    expect(data.updateEmailTemplate.emailTemplate).toMatchObject({
      subject: 'Gone: {{resource}}',
      defaultSubject: CANCELLED.subject,
      isEnabled: true,
      updatedAt: app.clock.now.toISOString(),
    });
    expect(await render()).toMatchObject({
      subject: 'Gone: Oslo',
      text: 'Hello Bo,\n\nWe are sorry.\n',
    });
    expect((await render({ reason: 'a leak' }))?.text).toContain('\n\nBecause: a leak\n');

    await update({ isEnabled: false });
    expect(await render()).toBeNull();
    const { data: afterReset } = await reset();
    expect(afterReset.resetEmailTemplate.emailTemplate).toMatchObject({
      ...{ subject: CANCELLED.subject, isEnabled: false },
    });
    await update({ isEnabled: true });
    expect((await render())?.subject).toBe('Your booking was cancelled: Oslo, today');
  });

  it('follows later versions if the default is saved unchanged', async () => {
    const { subject, body } = CANCELLED;
    await update({ subject, body });
    expect(await app.ctx.db.emailTemplate.findMany()).toMatchObject([
      { subject: null, body: null },
    ]);
  });

  it.each([
    [
      'subject',
      'Hi {{name}}',
      'The subject contains {{name}}, which does not exist. Use {{resource}}',
    ],
    ['body', '{{#rooms}}x{{/rooms}}', 'The body contains {{rooms}}, which does not exist.'],
    ['body', '{{#reason}}x', 'The section {{#reason}} in the body is not closed. Add {{/reason}}.'],
    ['body', 'x{{/reason}}', 'The body closes the section {{/reason}}, but does not open it.'],
    ['body', 'Hi {{resource', 'The body contains {{ without }}.'],
    ['body', '{{> layout}}', 'The body contains {{>, which is not supported.'],
    ['body', '{{=<% %>=}}', 'The body contains {{=, which is not supported.'],
    [
      'subject',
      '{{reason}}',
      '{{reason}} cannot stand in the subject, because others enter its text.',
    ],
    ['subject', ' \n ', 'subject: must not be empty'],
    ['subject', 'x'.repeat(201), 'subject: must have at most 200 characters'],
    ['body', 'x'.repeat(10_001), 'body: must have at most 10000 characters'],
  ])('is rejected if its %s is wrong (case %#)', async (field, text, message) => {
    const { errors } = await update({ [field]: text });
    expect(errors[0]?.message).toContain(message);
    expect(await app.ctx.db.emailTemplate.count()).toBe(0);
    const texts = { subject: 'x', body: 'x', [field]: text };
    expect((await preview(texts)).errors[0]?.message).toContain(message);
  });

  it('is previewed with examples, addressed to the viewer', async () => {
    const { data } = await preview({
      subject: '{{resource}}',
      body: '<b>{{reason}}</b>\n\n{{times}}',
    });
    const { subject, text, html } = data.previewEmailTemplate;
    expect(subject).toBe('Room Oslo');
    expect(text).toMatch(
      /^Hello Mona.*,\n\n<b>The room is being repaired<\/b>\n\nThursday, 19 March 2026, /,
    );
    expect(html).toContain('&lt;b&gt;The room is being repaired&lt;/b&gt;');
    expect(html).toMatch(/19 March 2026, [^<]*<br>\nThursday, 26 March 2026/);
    expect(html).toContain('Foyer Berlin');
  });

  it('that does not exist is not found', async () => {
    expect((await update({ key: 'toString' })).codes).toEqual(['NOT_FOUND']);
    expect((await reset('none')).codes).toEqual(['NOT_FOUND']);
  });
});

describe('a value', () => {
  it('is neither a template nor markup, and cannot add paragraphs', async () => {
    const email = await render({ reason: '{{location}}\n\n<i>Send money</i>' });
    expect(email?.text).toContain('Reason: {{location}} <i>Send money</i>');
    expect(email?.html).toContain('Reason: {{location}} &lt;i&gt;Send money&lt;/i&gt;');
  });

  it('cannot add headers to the email', async () => {
    const email = await render({ resource: 'Oslo\r\nBcc: eve@example.org' });
    expect(email?.subject).toBe('Your booking was cancelled: Oslo Bcc: eve@example.org, today');
  });
});
