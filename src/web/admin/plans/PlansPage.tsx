import { Button, List, Text } from '@mantine/core';
import { IconCreditCard, IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { type Column, DataTable, NameCell, RowAction } from '../../components/DataTable.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { EmptyState, PageHeader, StatusBadge } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { PlanForm } from './PlanForm.tsx';
import { formatBenefit, formatPlanPrice } from './plan-labels.ts';
import { type ListedPlan, type Plan, usePlans } from './queries.ts';

const columns: Column<ListedPlan>[] = [
  { header: 'Name', cell: ({ name }) => <NameCell name={name} /> },
  { header: 'Price', cell: (plan) => <Text size="sm">{formatPlanPrice(plan)}</Text> },
  { header: 'Members', cell: ({ memberCount }) => <Text size="sm">{memberCount}</Text> },
  { header: 'Includes', cell: (plan) => <PlanBenefits plan={plan} /> },
  {
    header: 'Status',
    cell: ({ active }) =>
      active ? (
        <StatusBadge color="teal">Available</StatusBadge>
      ) : (
        <StatusBadge color="gray">Retired</StatusBadge>
      ),
  },
];

export function PlansPage() {
  const viewer = useStaffViewer();
  const canChange = can(viewer, 'plans:write');
  const canEmail = can(viewer, 'mailings:write');
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
        description="Memberships with included hours and discounts."
        action={plans.data?.length ? add : null}
      />
      <QueryBoundary query={plans}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={IconCreditCard} title="No plans yet" action={add}>
              Without a plan, everyone books at the public price. Create a plan, then start a
              membership for a member or team.
            </EmptyState>
          ) : (
            <DataTable
              label="Plans"
              columns={columns}
              rows={rows}
              getKey={({ id }) => id}
              isEnded={({ active }) => !active}
              {...((canChange || canEmail) && {
                actions: (plan: Plan) => (
                  <>
                    {canEmail && <EmailMembers plan={plan} />}
                    {canChange && (
                      <RowAction label="Edit" row={plan.name} onClick={() => editing.open(plan)} />
                    )}
                  </>
                ),
              })}
            />
          )
        }
      </QueryBoundary>
      <Dialog state={creating} title="Create a plan" size="lg">
        {() => <PlanForm onClose={creating.close} />}
      </Dialog>
      <Dialog state={editing} title="Edit plan" size="lg">
        {(plan) => <PlanForm plan={plan} onClose={editing.close} />}
      </Dialog>
    </>
  );
}

const EmailMembers = ({ plan: { id, name } }: { plan: Plan }) => (
  <Button
    component={Link}
    to={`/mailings/new?planId=${id}`}
    size="xs"
    variant="default"
    aria-label={`Email members with ${name}`}
  >
    Email members
  </Button>
);

const PlanBenefits = ({ plan: { benefits } }: { plan: Plan }) =>
  benefits.length === 0 ? (
    <Text size="sm">Public prices for everything</Text>
  ) : (
    <List size="sm">
      {benefits.map((benefit) => (
        <List.Item key={benefit.resourceType}>{formatBenefit(benefit)}</List.Item>
      ))}
    </List>
  );
