import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRefetchingMutation } from '../../api/mutations.ts';
import { request } from '../../api/request.ts';
import type {
  EmailTemplateCategory,
  EmailTemplatePageQuery,
  EmailTemplatesQuery,
  UpdateEmailTemplateInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type ListedTemplate = EmailTemplatesQuery['emailTemplates'][number];
export type EmailTemplate = EmailTemplatePageQuery['emailTemplate'];

const TEMPLATES_KEY = ['email-templates'];

const TEMPLATES_QUERY = graphql(`
  query EmailTemplates {
    emailTemplates {
      key
      title
      description
      category
      isEnabled
      isReworded
    }
  }
`);

export const useEmailTemplates = () =>
  useQuery({
    queryKey: TEMPLATES_KEY,
    queryFn: async () => (await request(TEMPLATES_QUERY)).emailTemplates,
  });

const TEMPLATE_PAGE_QUERY = graphql(`
  query EmailTemplatePage($key: String!) {
    emailTemplate(key: $key) {
      key
      updatedAt
      title
      description
      subject
      body
      defaultSubject
      defaultBody
      isEnabled
      variables {
        name
        description
        example
        isAllowedInSubject
      }
      preview {
        subject
        text
        html
      }
    }
  }
`);

export const useEmailTemplate = (key: string) =>
  useQuery({
    queryKey: [...TEMPLATES_KEY, key],
    queryFn: async ({ signal }) =>
      (await request(TEMPLATE_PAGE_QUERY, { key }, signal)).emailTemplate,
  });

const PREVIEW_QUERY = graphql(`
  query PreviewEmailTemplate($key: String!, $subject: String!, $body: String!) {
    previewEmailTemplate(key: $key, subject: $subject, body: $body) {
      subject
      text
      html
    }
  }
`);

/** Renders a wording that is not saved yet. Keeps the last preview while it loads or if the wording is invalid. */
export const useEmailPreview = (
  { key, subject: savedSubject, body: savedBody, preview }: EmailTemplate,
  wording: { subject: string; body: string },
) =>
  useQuery({
    queryKey: ['email-preview', key, wording],
    queryFn: async ({ signal }) =>
      (await request(PREVIEW_QUERY, { key, ...wording }, signal)).previewEmailTemplate,
    ...(wording.subject === savedSubject && wording.body === savedBody
      ? { initialData: preview, enabled: false }
      : {}),
    placeholderData: keepPreviousData,
    retry: false,
  });

const UPDATE_MUTATION = graphql(`
  mutation UpdateEmailTemplate($input: UpdateEmailTemplateInput!) {
    updateEmailTemplate(input: $input) {
      emailTemplate {
        subject
        body
        updatedAt
      }
    }
  }
`);

export interface SavedWording {
  subject: string;
  body: string;
  updatedAt: string;
}

export const useUpdateEmailTemplate = (onDone: (saved: SavedWording) => void) =>
  useRefetchingMutation(
    async (input: UpdateEmailTemplateInput) =>
      (await request(UPDATE_MUTATION, { input })).updateEmailTemplate.emailTemplate,
    [TEMPLATES_KEY],
    onDone,
  );

const RESET_MUTATION = graphql(`
  mutation ResetEmailTemplate($input: ResetEmailTemplateInput!) {
    resetEmailTemplate(input: $input) {
      emailTemplate {
        subject
        body
        updatedAt
      }
    }
  }
`);

export const useResetEmailTemplate = (onDone: (saved: SavedWording) => void) =>
  useRefetchingMutation(
    async (key: string) =>
      (await request(RESET_MUTATION, { input: { key } })).resetEmailTemplate.emailTemplate,
    [TEMPLATES_KEY],
    onDone,
  );

export const CATEGORY_LABELS: Record<EmailTemplateCategory, string> = {
  BOOKINGS: 'Bookings',
  MEMBERSHIPS: 'Memberships',
  REMINDERS: 'Reminders',
  VISITS: 'Visits',
  DISPLAYS: 'Displays',
  ORDERS: 'Orders',
};
