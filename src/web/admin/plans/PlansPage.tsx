import { Button, List, Text } from '@mantine/core';
import { IconCreditCard, IconPlus } from '@tabler/icons-react';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { PlanForm } from './PlanForm.tsx';
import { formatBenefit, formatPlanPrice } from './plan-labels.ts';
import { type Plan, usePlans } from './queries.ts';

const columns: Column<Plan>[] = [
  {
    header: 'Name',
    cell: ({ name }) => (
      <Text fw={600} size="sm">
        {name}
      </Text>
    ),
  },
  { header: 'Price', cell: (plan) => <Text size="sm">{formatPlanPrice(plan)}</Text> },
  { header: 'What it gives', cell: (plan) => <PlanBenefits plan={plan} /> },
  {
    header: 'State',
    cell: ({ active }) =>
      active ? (
        <StatusBadge color="teal">Offered</StatusBadge>
      ) : (
        <StatusBadge color="gray">Withdrawn</StatusBadge>
      ),
  },
];

export function PlansPage() {
  const canChange = can(useStaffViewer(), 'plans:write');
  const plans = usePlans();
  const creating = useDialog();
  const editing = useDialog<Plan>();
  const add = canChange && (
    <Button leftSection={<IconPlus size={18} />} onClick={() => creating.open(true)}>
      Create a plan
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Plans"
        description="What members subscribe to: hours that are included, and a price of their own for the rest."
        action={plans.data?.length ? add : null}
      />
      <QueryBoundary query={plans}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={IconCreditCard} title="No plans yet" action={add}>
              Without a plan everybody books at the public price. Create one, then start it for a
              member or a team on their page.
            </EmptyState>
          ) : (
            <DataTable
              label="Plans"
              columns={columns}
              rows={rows}
              getKey={({ id }) => id}
              isEnded={({ active }) => !active}
              {...(canChange && {
                actions: (plan: Plan) => (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Edit the plan ${plan.name}`}
                    onClick={() => editing.open(plan)}
                  >
                    Edit
                  </Button>
                ),
              })}
            />
          )
        }
      </QueryBoundary>
      <Dialog state={creating} title="Create a plan" size="lg">
        {() => <PlanForm onClose={creating.close} />}
      </Dialog>
      <Dialog state={editing} title="Edit this plan" size="lg">
        {(plan) => <PlanForm plan={plan} onClose={editing.close} />}
      </Dialog>
    </>
  );
}

const PlanBenefits = ({ plan: { benefits } }: { plan: Plan }) =>
  benefits.length === 0 ? (
    <Text size="sm">Everything at the public price</Text>
  ) : (
    <List size="sm">
      {benefits.map((benefit) => (
        <List.Item key={benefit.resourceType}>{formatBenefit(benefit)}</List.Item>
      ))}
    </List>
  );
