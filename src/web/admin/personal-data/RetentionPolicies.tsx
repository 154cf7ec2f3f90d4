import { Button, Checkbox, NumberInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useStaffViewer } from '../../app/session/viewer.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Dialog, DialogActions, useDialog } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { SectionCard } from '../../components/SectionCard.tsx';
import { formatDays } from './labels.ts';
import { type RetentionPolicy, useRetentionPolicies, useUpdateRetentionPolicy } from './queries.ts';

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

export function RetentionPolicies() {
  const { role } = useStaffViewer();
  const policies = useRetentionPolicies();
  const editing = useDialog<RetentionPolicy>();
  return (
    <SectionCard
      title="Data retention"
      description="Applied every night. Only owners can change these periods."
    >
      <QueryBoundary query={policies}>
        {(policies) => (
          <DataTable
            label="Data retention"
            columns={columns}
            rows={policies}
            getKey={({ key }) => key}
            {...(role === 'OWNER' && {
              actions: (policy: RetentionPolicy) => (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Change ${policy.title}`}
                  onClick={() => editing.open(policy)}
                >
                  Change
                </Button>
              ),
            })}
          />
        )}
      </QueryBoundary>
      <Dialog state={editing} title={editing.subject?.title ?? ''}>
        {(policy) => <EditRetentionForm policy={policy} onClose={editing.close} />}
      </Dialog>
    </SectionCard>
  );
}

function EditRetentionForm({ policy, onClose }: { policy: RetentionPolicy; onClose: () => void }) {
  const { key, title, description, days, defaultDays, minDays, maxDays, canKeepForever } = policy;
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
    update.mutate({ key, days: isForever ? null : Number(days) }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <FormError error={update.error} />
        <Text size="sm">{description}</Text>
        {canKeepForever && (
          <Checkbox
            label="Keep forever"
            {...form.getInputProps('isForever', { type: 'checkbox' })}
          />
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
      </Stack>
      <DialogActions label="Save" onCancel={onClose} pending={update.isPending} />
    </form>
  );
}
