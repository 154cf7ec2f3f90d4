import { Checkbox, NumberInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useRef } from 'react';
import { useStaffViewer } from '../../app/session/viewer.ts';
import { type Column, DataTable, RowAction } from '../../components/DataTable.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { SectionCard } from '../../components/PageLayout.tsx';
import { EditForm } from '../EditForm.tsx';
import { type RetentionPolicy, useUpdateRetentionPolicy } from './queries.ts';

const CHANGE_TYPES = ['retention_policy.updated'];

const columns: Column<RetentionPolicy>[] = [
  { header: 'Data', cell: ({ title }) => <Text fw={600}>{title}</Text> },
  { header: 'Action', cell: ({ description }) => <Text size="sm">{description}</Text> },
  {
    header: 'After',
    cell: ({ days }) => (
      <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
        {formatDays(days)}
      </Text>
    ),
  },
];

export function RetentionPolicies({ policies }: { policies: RetentionPolicy[] }) {
  const { role } = useStaffViewer();
  const editing = useDialog<RetentionPolicy>();
  return (
    <SectionCard
      title="Data retention"
      description="Applied every night. Only owners can change these periods."
    >
      <DataTable
        label="Data retention"
        columns={columns}
        rows={policies}
        getKey={({ key }) => key}
        {...(role === 'OWNER' && {
          actions: (policy: RetentionPolicy) => (
            <RowAction label="Change" row={policy.title} onClick={() => editing.open(policy)} />
          ),
        })}
      />
      <Dialog state={editing} title={editing.subject?.title ?? ''}>
        {(policy) => <EditRetentionForm policy={policy} onClose={editing.close} />}
      </Dialog>
    </SectionCard>
  );
}

function EditRetentionForm({ policy, onClose }: { policy: RetentionPolicy; onClose: () => void }) {
  const { key, title, description, days, defaultDays, minDays, maxDays, canKeepForever } = policy;
  const version = useRef(policy.updatedAt);
  const update = useUpdateRetentionPolicy(() => {
    notifySuccess(`Retention period of ${title} changed.`);
    onClose();
  });
  const form = useForm<{ days: number | string; isForever: boolean }>({
    initialValues: { days: days ?? defaultDays ?? minDays, isForever: days === null },
    validate: {
      days: (typed, { isForever }) =>
        isForever ||
        (Number.isInteger(typed) && Number(typed) >= minDays && Number(typed) <= maxDays)
          ? null
          : `Enter ${minDays} to ${maxDays} days`,
    },
  });
  const submit = form.onSubmit(({ days, isForever }) =>
    update.mutate({
      key,
      days: isForever ? null : Number(days),
      ifUpdatedAt: version.current,
    }),
  );
  return (
    <EditForm
      row={{ id: key, updatedAt: policy.updatedAt, changeTypes: CHANGE_TYPES }}
      form={{ acceptVersion: (updatedAt) => (version.current = updatedAt) }}
      effect="Saving replaces the period."
      label="Save"
      onSubmit={submit}
      mutation={update}
      onCancel={onClose}
    >
      <Text size="sm">{description}</Text>
      {canKeepForever && (
        <Checkbox label="Keep forever" {...form.getInputProps('isForever', { type: 'checkbox' })} />
      )}
      {!form.values.isForever && (
        <NumberInput
          label="Days"
          description={`Default: ${formatDays(defaultDays).toLowerCase()}`}
          allowDecimal={false}
          min={minDays}
          max={maxDays}
          data-autofocus
          {...form.getInputProps('days')}
        />
      )}
    </EditForm>
  );
}

const formatDays = (days: number | null) =>
  days === null ? 'Forever' : days === 1 ? '1 day' : `${days} days`;
