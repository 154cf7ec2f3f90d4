import { Button, List, Text } from '@mantine/core';
import { may, useStaff } from '../../session/viewer.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { IconPlan, IconPlus } from '../../ui/icons.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { PlanForm } from './PlanForm.tsx';
import { benefitWords, priceWords } from './plan-words.ts';
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
  { header: 'Price', cell: (plan) => <Text size="sm">{priceWords(plan)}</Text> },
  { header: 'What it gives', cell: (plan) => <Benefits plan={plan} /> },
  {
    header: 'State',
    cell: ({ active }) =>
      active ? (
        <StateBadge color="teal">Offered</StateBadge>
      ) : (
        <StateBadge color="gray">Withdrawn</StateBadge>
      ),
  },
];

export function PlansPage() {
  const mayChange = may(useStaff(), 'plans:write');
  const plans = usePlans();
  const creating = useDialog();
  const editing = useDialog<Plan>();
  const add = mayChange && (
    <Button leftSection={<IconPlus />} onClick={() => creating.open(true)}>
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
      <Loaded query={plans}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={IconPlan} title="No plans yet" action={add}>
              Without a plan everybody books at the public price. Create one, then start it for a
              member or a team on their page.
            </EmptyState>
          ) : (
            <DataTable
              label="Plans"
              columns={columns}
              rows={rows}
              keyOf={({ id }) => id}
              isEnded={({ active }) => !active}
              {...(mayChange && {
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
      </Loaded>
      <Dialog state={creating} title="Create a plan" size="lg">
        {() => <PlanForm onClose={creating.close} />}
      </Dialog>
      <Dialog state={editing} title="Edit this plan" size="lg">
        {(plan) => <PlanForm plan={plan} onClose={editing.close} />}
      </Dialog>
    </>
  );
}

const Benefits = ({ plan: { benefits } }: { plan: Plan }) =>
  benefits.length === 0 ? (
    <Text size="sm">Everything at the public price</Text>
  ) : (
    <List size="sm">
      {benefits.map((benefit) => (
        <List.Item key={benefit.resourceType}>{benefitWords(benefit)}</List.Item>
      ))}
    </List>
  );
