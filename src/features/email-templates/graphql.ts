import { builder, withArgs } from '../../graphql/builder.ts';
import { addMutation } from '../../graphql/mutation.ts';
import type { RenderedTemplate } from '../../integrations/email/render-template.ts';
import {
  emailTemplateKeyInput,
  previewEmailTemplateArgs,
  updateEmailTemplateInput,
} from './inputs.ts';
import {
  type EmailTemplate as EmailTemplateValue,
  getEmailTemplate,
  listEmailTemplates,
  previewEmailTemplate,
  renderWithExamples,
  resetEmailTemplate,
  updateEmailTemplate,
} from './service.ts';

const MANAGER_ACCESS = { access: 'staff:manage' } as const;

const EmailTemplateCategory = builder.enumType('EmailTemplateCategory', {
  description: 'What an email template is about',
  values: {
    ORDERS: { value: 'orders', description: 'Orders, tickets and waiting lists' },
    BOOKINGS: { value: 'bookings', description: 'Bookings, for their holders' },
    MEMBERSHIPS: { value: 'memberships', description: 'Memberships, for members' },
    REMINDERS: { value: 'reminders', description: 'What begins soon' },
    VISITS: { value: 'visits', description: 'Who has arrived' },
    DISPLAYS: { value: 'displays', description: 'Displays that need attention, for staff' },
  } as const,
});

const EmailTemplateVariable = builder
  .objectRef<EmailTemplateValue['variables'][number]>('EmailTemplateVariable')
  .implement({
    description: 'A value that an email template can contain, as {{name}}',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'Its name in the template' }),
      description: t.exposeString('description', { description: 'What it contains' }),
      example: t.string({
        description: 'What previews show. Lists have one entry a line.',
        resolve: ({ example }) => (typeof example === 'string' ? example : example.join('\n')),
      }),
      isAllowedInSubject: t.boolean({
        description: 'Whether the subject can contain it. Texts that others enter cannot.',
        resolve: ({ isFromStranger }) => isFromStranger !== true,
      }),
    }),
  });

const EmailPreview = builder.objectRef<RenderedTemplate>('EmailPreview').implement({
  description: 'An email as its recipient would see it',
  fields: (t) => ({
    subject: t.exposeString('subject', { description: 'The subject line' }),
    text: t.exposeString('text', { description: 'The plain text' }),
    html: t.exposeString('html', { description: 'The HTML document' }),
  }),
});

const EmailTemplate = builder.objectRef<EmailTemplateValue>('EmailTemplate').implement({
  description: 'The wording of emails of one kind',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'Identifies the template. It never changes.' }),
    title: t.exposeString('title', { description: 'What the email is about' }),
    description: t.exposeString('description', { description: 'When it is sent, and to whom' }),
    category: t.expose('category', {
      type: EmailTemplateCategory,
      description: 'The group in which lists show it',
    }),
    variables: t.expose('variables', {
      type: [EmailTemplateVariable],
      description: 'The values that it can contain',
    }),
    subject: t.exposeString('subject', { description: 'The current subject' }),
    body: t.exposeString('body', {
      description:
        'The current text, without the greeting. Blank lines separate paragraphs; {{#name}}…{{/name}} is shown if the value is not empty.',
    }),
    preview: t.field({
      type: EmailPreview,
      description:
        'The current wording with the examples of its variables, addressed to the viewer',
      resolve: (template, _, { ctx }) =>
        renderWithExamples(ctx, template.texts, template.key, template),
    }),
    defaultSubject: t.exposeString('defaultSubject', {
      description: 'The subject after a reset',
    }),
    defaultBody: t.exposeString('defaultBody', { description: 'The text after a reset' }),
    isEnabled: t.exposeBoolean('isEnabled', { description: 'Whether such emails are sent' }),
    isReworded: t.exposeBoolean('isReworded', {
      description: 'Whether the subject or the text differs from the default',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When it was last changed. 1970-01-01T00:00:00.000Z: never.',
    }),
  }),
});

builder.queryField('emailTemplates', (t) =>
  t.field({
    type: [EmailTemplate],
    description: 'The wording of all emails that can be changed',
    authScopes: MANAGER_ACCESS,
    resolve: (_, __, { ctx }) => listEmailTemplates(ctx),
  }),
);

builder.queryField('emailTemplate', (t) =>
  t.field({
    type: EmailTemplate,
    description: 'Gets an email template',
    authScopes: MANAGER_ACCESS,
    ...withArgs(emailTemplateKeyInput, ({ key }, { ctx }) => getEmailTemplate(ctx, key)),
  }),
);

builder.queryField('previewEmailTemplate', (t) =>
  t.field({
    type: EmailPreview,
    description: 'Renders a wording with the examples of its variables. Saves nothing.',
    authScopes: MANAGER_ACCESS,
    ...withArgs(previewEmailTemplateArgs, ({ key, ...text }, { ctx }) =>
      previewEmailTemplate(ctx, key, text),
    ),
  }),
);

addMutation('updateEmailTemplate', {
  description:
    'Changes the wording of an email, or switches it on or off. Applies to emails that are created from then on.',
  access: 'staff:manage',
  input: updateEmailTemplateInput,
  takesVersion: true,
  payload: { emailTemplate: { type: EmailTemplate, description: 'The changed template' } },
  resolve: async (input, { ctx }) => ({ emailTemplate: await updateEmailTemplate(ctx, input) }),
});

addMutation('resetEmailTemplate', {
  description: 'Restores the default wording of an email. It stays switched on or off.',
  access: 'staff:manage',
  input: emailTemplateKeyInput,
  payload: { emailTemplate: { type: EmailTemplate, description: 'The template after the reset' } },
  resolve: async ({ key }, { ctx }) => ({ emailTemplate: await resetEmailTemplate(ctx, key) }),
});
