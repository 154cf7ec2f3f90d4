import { Button, Text } from '@mantine/core';
import { useStaff } from '../../session/viewer.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { EditRetention } from './EditRetention.tsx';
import { formatDays } from './labels.ts';
import { type RetentionPolicy, useRetentionPolicies } from './queries.ts';

const columns: Column<RetentionPolicy>[] = [
  { header: 'What', cell: ({ title }) => <Text fw={600}>{title}</Text> },
  { header: 'What happens', cell: ({ description }) => <Text size="sm">{description}</Text> },
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
  const { role } = useStaff();
  const policies = useRetentionPolicies();
  const editing = useDialog<RetentionPolicy>();
  return (
    <Panel
      title="How long data is kept"
      description="Enforced every night. Only owners change these periods."
    >
      <Loaded query={policies}>
        {(policies) => (
          <DataTable
            label="How long data is kept"
            columns={columns}
            rows={policies}
            keyOf={({ key }) => key}
            {...(role === 'OWNER' && {
              actions: (policy: RetentionPolicy) => (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Change: ${policy.title}`}
                  onClick={() => editing.open(policy)}
                >
                  Change
                </Button>
              ),
            })}
          />
        )}
      </Loaded>
      <Dialog state={editing} title={editing.subject?.title ?? ''}>
        {(policy) => <EditRetention policy={policy} onClose={editing.close} />}
      </Dialog>
    </Panel>
  );
}
