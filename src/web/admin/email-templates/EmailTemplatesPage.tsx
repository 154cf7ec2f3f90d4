import { Stack, Switch } from '@mantine/core';
import { type Column, DataTable, NameCell } from '../../components/DataTable.tsx';
import { notifyFailure, notifySuccess } from '../../components/notify.ts';
import { PageHeader, SectionCard, StatusBadge } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import {
  CATEGORY_LABELS,
  type ListedTemplate,
  useEmailTemplates,
  useUpdateEmailTemplate,
} from './queries.ts';

const columns: Column<ListedTemplate>[] = [
  {
    header: 'Email',
    cell: ({ key, title, description }) => (
      <NameCell name={title} to={`/settings/email-templates/${key}`} details={description} />
    ),
  },
  {
    header: 'Text',
    cell: ({ isReworded }) => (
      <StatusBadge color={isReworded ? 'blue' : 'gray'}>
        {isReworded ? 'Changed' : 'Default'}
      </StatusBadge>
    ),
  },
  { header: 'Sent', cell: (template) => <TemplateSwitch template={template} /> },
];

export function EmailTemplatesPage() {
  const templates = useEmailTemplates();
  return (
    <>
      <PageHeader
        title="Email templates"
        description="Change the text of emails, or switch emails off. Sign-in links and address confirmations are always sent."
      />
      <QueryBoundary query={templates} height={400}>
        {(templates) => (
          <Stack>
            {groupByCategory(templates).map(([category, rows]) => (
              <SectionCard key={category} title={CATEGORY_LABELS[category]}>
                <DataTable
                  label={CATEGORY_LABELS[category]}
                  columns={columns}
                  rows={rows}
                  getKey={({ key }) => key}
                />
              </SectionCard>
            ))}
          </Stack>
        )}
      </QueryBoundary>
    </>
  );
}

function groupByCategory(templates: ListedTemplate[]) {
  const groups = new Map<ListedTemplate['category'], ListedTemplate[]>();
  for (const template of templates) {
    groups.set(template.category, [...(groups.get(template.category) ?? []), template]);
  }
  return [...groups];
}

function TemplateSwitch({ template: { key, title, isEnabled } }: { template: ListedTemplate }) {
  const update = useUpdateEmailTemplate(() =>
    notifySuccess(isEnabled ? `“${title}” is no longer sent.` : `“${title}” is sent again.`),
  );
  return (
    <Switch
      aria-label={`Send “${title}”`}
      checked={isEnabled}
      disabled={update.isPending}
      onChange={({ currentTarget: { checked } }) =>
        update.mutate(
          { key, isEnabled: checked },
          { onError: (error) => notifyFailure('Not changed', error) },
        )
      }
    />
  );
}
