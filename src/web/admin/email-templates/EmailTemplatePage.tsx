import { Alert, Button, Code, Group, SimpleGrid, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useParams } from 'react-router';
import { findNewVersion, toApiError } from '../../api/errors.ts';
import { Confirmation, Dialog, useDialog } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import type { FieldViews } from '../../components/input-values.ts';
import { notifySuccess } from '../../components/notify.ts';
import {
  BackLink,
  DescriptionList,
  PageHeader,
  SectionCard,
} from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { UnsavedChanges } from '../../components/UnsavedChanges.tsx';
import type { UpdateEmailTemplateInput } from '../../gql/graphql.ts';
import { EditConflict, REPLACES_CHANGED_FIELDS } from '../EditForm.tsx';
import { EmailPreview } from './EmailPreview.tsx';
import {
  type EmailTemplate,
  type SavedWording,
  useEmailPreview,
  useEmailTemplate,
  useResetEmailTemplate,
  useUpdateEmailTemplate,
} from './queries.ts';

const PREVIEW_DEBOUNCE_MS = 400;
const CHANGE_TYPES = ['email_template.updated'];

const VIEWS: FieldViews<Pick<UpdateEmailTemplateInput, 'subject' | 'body'>> = {
  subject: { label: 'Subject', missing: 'Enter a subject' },
  body: {
    label: 'Text',
    description: 'An empty line begins a new paragraph. The greeting and the button are added.',
    missing: 'Enter a text',
    rows: 8,
  },
};

export function EmailTemplatePage() {
  const { templateKey = '' } = useParams();
  const query = useEmailTemplate(templateKey);
  // After someone discards their changes, the editor shows what the other person saved.
  const [hasDiscarded, setHasDiscarded] = useState(false);
  return (
    <>
      <BackLink to="/settings/email-templates">All email templates</BackLink>
      <QueryBoundary query={query} height={400}>
        {(template) => (
          <>
            <PageHeader title={template.title} description={template.description} />
            {!template.isEnabled && (
              <Alert color="yellow" mb="md" title="Switched off">
                This email is not sent. Switch it on in the list of templates.
              </Alert>
            )}
            <TemplateEditor
              key={hasDiscarded ? `${template.key} ${template.updatedAt}` : template.key}
              template={template}
              onDiscard={() => setHasDiscarded(true)}
            />
          </>
        )}
      </QueryBoundary>
    </>
  );
}

interface TemplateEditorProps {
  template: EmailTemplate;
  onDiscard: () => void;
}

function TemplateEditor({ template, onDiscard }: TemplateEditorProps) {
  const { key, subject, body, defaultSubject, defaultBody } = template;
  const [opened] = useState({ id: key, updatedAt: template.updatedAt, changeTypes: CHANGE_TYPES });
  const form = useInputForm('UpdateEmailTemplateInput', VIEWS, {
    row: { subject, body, updatedAt: template.updatedAt },
  });
  const accept = ({ updatedAt, ...wording }: SavedWording) => {
    form.setInitialValues(wording);
    form.resetDirty(wording);
    form.acceptVersion(updatedAt);
  };
  const [wording] = useDebouncedValue(form.values, PREVIEW_DEBOUNCE_MS);
  const preview = useEmailPreview(template, wording);
  // Only this text is saved, also if more is typed in the meantime. The message appears when nothing is unsaved any more.
  const update = useUpdateEmailTemplate((saved) => {
    accept(saved);
    notifySuccess('Template saved.');
  });
  const resetting = useDialog();
  const reset = useResetEmailTemplate(({ updatedAt, ...wording }) => {
    form.setValues(wording);
    accept({ ...wording, updatedAt });
    resetting.close();
    notifySuccess('The default text is back.');
  });
  const newVersion = findNewVersion(update.error);
  const isDefault =
    form.values.subject === defaultSubject &&
    form.values.body === defaultBody &&
    subject === defaultSubject &&
    body === defaultBody;
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <SectionCard title="Text">
          <form
            onSubmit={form.onSubmit((values) => {
              if (form.isDirty()) update.mutate({ key, ...form.toChanges(values) });
            })}
            noValidate
          >
            <Stack gap="sm">
              {newVersion === null ? (
                <FormError error={update.error} />
              ) : (
                <EditConflict
                  key={newVersion}
                  row={opened}
                  effect={REPLACES_CHANGED_FIELDS}
                  onKeep={() => form.acceptVersion(newVersion)}
                  onDiscard={onDiscard}
                />
              )}
              <InputField form={form} name="subject" />
              <InputField form={form} name="body" />
              <Group gap="sm">
                <Button type="submit" loading={update.isPending} disabled={newVersion !== null}>
                  Save
                </Button>
                <Button
                  variant="default"
                  disabled={isDefault}
                  onClick={() => {
                    reset.reset();
                    resetting.open(true);
                  }}
                >
                  Reset to default
                </Button>
              </Group>
            </Stack>
          </form>
        </SectionCard>
        <SectionCard title="Preview" description="With example values.">
          {preview.error && (
            <Alert color="red" role="alert" mb="sm" title="This text cannot be used">
              {toApiError(preview.error).message}
            </Alert>
          )}
          {preview.data && <EmailPreview email={preview.data} />}
        </SectionCard>
      </SimpleGrid>
      <SectionCard
        title="Variables"
        description={
          <>
            Foyer replaces them in each email. To show a part only if a value is not empty, write{' '}
            <Code>{'{{#name}}…{{/name}}'}</Code>.
          </>
        }
      >
        <DescriptionList items={template.variables.map(toVariableItem)} />
      </SectionCard>
      <Dialog state={resetting} title="Reset to the default text?" ignoresBack>
        {() => (
          <Confirmation
            label="Reset"
            pending={reset.isPending}
            error={reset.error}
            onConfirm={() => reset.mutate(key)}
            onCancel={resetting.close}
          >
            Your subject and text are deleted.
          </Confirmation>
        )}
      </Dialog>
      <UnsavedChanges isDirty={form.isDirty()} />
    </Stack>
  );
}

const toVariableItem = ({
  name,
  description,
  isAllowedInSubject,
}: EmailTemplate['variables'][number]): [name: string, value: ReactNode] => [
  `{{${name}}}`,
  isAllowedInSubject ? description : `${description} Not in the subject.`,
];
