import { Button, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { formatDate } from '../../../core/time/format.ts';
import { Dialog, DialogForm, useDialog } from '../../components/Dialog.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import type { FieldViews } from '../../components/input-values.ts';
import { notifySuccess } from '../../components/notify.ts';
import { SectionCard } from '../../components/PageLayout.tsx';
import { isCalendarDate } from '../../components/wall-clock.ts';
import type { CreateMembershipInput, EndMembershipMutationVariables } from '../../gql/graphql.ts';
import { formatBenefit, formatPlanPrice } from './plan-labels.ts';
import {
  type Membership,
  type MembershipHolder,
  useEndMembership,
  usePlans,
  useStartMembership,
} from './queries.ts';

interface MembershipListProps {
  holder: MembershipHolder;
  name: string;
  memberships: Membership[];
  /** YYYY-MM-DD */
  today: string;
  canChange: boolean;
  /** Shown below the title. */
  note?: string | undefined;
}

/** The memberships of a member or team, latest first. */
export function MembershipList({
  holder,
  name,
  memberships,
  today,
  canChange,
  note,
}: MembershipListProps) {
  const starting = useDialog();
  const ending = useDialog<Membership>();
  return (
    <SectionCard
      title="Membership"
      description={note}
      action={
        canChange && (
          <Button size="xs" variant="default" onClick={() => starting.open(true)}>
            Start membership
          </Button>
        )
      }
    >
      <Stack gap="md">
        {memberships.length === 0 && (
          <Text size="sm">
            {note
              ? 'No membership of their own.'
              : 'No membership. Bookings cost the public price.'}
          </Text>
        )}
        {memberships.map((membership) => (
          <Group key={membership.id} justify="space-between" align="flex-start">
            <MembershipSummary membership={membership} today={today} />
            {membership.allowedActions.end && isCurrentMembership(membership, today) && (
              <Button
                size="xs"
                variant="default"
                aria-label={`${membership.endsOn === null ? 'End' : 'Change end'} of ${membership.plan.name}`}
                onClick={() => ending.open(membership)}
              >
                {membership.endsOn === null ? 'End' : 'Change end'}
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      <Dialog state={starting} title={`Start membership for ${name}`}>
        {() => <StartMembershipForm holder={holder} today={today} onClose={starting.close} />}
      </Dialog>
      <Dialog state={ending} title="End membership">
        {(membership) => (
          <EndMembershipForm membership={membership} today={today} onClose={ending.close} />
        )}
      </Dialog>
    </SectionCard>
  );
}

const isCurrentMembership = ({ endsOn }: Membership, today: string) =>
  endsOn === null || endsOn >= today;

function MembershipSummary({ membership, today }: { membership: Membership; today: string }) {
  const { plan, startsOn, endsOn } = membership;
  const isOver = !isCurrentMembership(membership, today);
  return (
    <div style={{ flex: '1 1 200px' }}>
      <Text size="sm" fw={600} c={isOver ? 'dimmed' : undefined}>
        {plan.name}, {formatPlanPrice(plan)}
      </Text>
      <Text size="sm" c="dimmed">
        {startsOn > today ? 'Starts' : 'Since'} {formatDate(startsOn)}
        {endsOn !== null && `, ${isOver ? 'ended' : 'ends'} ${formatDate(endsOn)}`}
      </Text>
      {!isOver &&
        plan.benefits.map((benefit) => (
          <Text key={benefit.resourceType} size="sm">
            {formatBenefit(benefit)}
          </Text>
        ))}
    </div>
  );
}

const MEMBERSHIP_VIEWS: FieldViews<Omit<CreateMembershipInput, 'memberId' | 'teamId'>> = {
  planId: { label: 'Plan', missing: 'Select a plan' },
  startsOn: { label: 'First day', type: 'date', missing: 'Select a first day' },
  endsOn: { label: 'Last day', type: 'date' },
};

interface StartMembershipFormProps {
  holder: MembershipHolder;
  today: string;
  onClose: () => void;
}

function StartMembershipForm({ holder, today, onClose }: StartMembershipFormProps) {
  const plans = usePlans();
  const start = useStartMembership(() => {
    notifySuccess('Membership started.');
    onClose();
  });
  const form = useInputForm('CreateMembershipInput', MEMBERSHIP_VIEWS, {
    row: { startsOn: today },
    validate: {
      startsOn: (day) => (isCalendarDate(day) ? null : 'Select a first day'),
      endsOn: (day, { startsOn }) =>
        day === '' || day >= startsOn ? null : 'Select a day on or after the first day',
    },
  });
  const available = plans.data?.filter(({ active }) => active) ?? [];
  const selected = available.find(({ id }) => id === form.values.planId);
  return (
    <DialogForm
      label="Start membership"
      onSubmit={form.onSubmit((values) => start.mutate({ ...holder, ...form.toInput(values) }))}
      mutation={{ error: start.error ?? plans.error, isPending: start.isPending }}
      onCancel={onClose}
    >
      <Select
        data={available.map((plan) => ({
          value: plan.id,
          label: `${plan.name}, ${formatPlanPrice(plan)}`,
        }))}
        description={
          plans.isSuccess && available.length === 0
            ? 'No plans are available. Create one under Plans.'
            : null
        }
        allowDeselect={false}
        data-autofocus
        {...form.getFieldProps('planId')}
      />
      {selected?.benefits.map((benefit) => (
        <Text key={benefit.resourceType} size="sm" c="dimmed">
          {formatBenefit(benefit)}
        </Text>
      ))}
      <SimpleGrid cols={2}>
        <InputField form={form} name="startsOn" />
        <InputField form={form} name="endsOn" />
      </SimpleGrid>
    </DialogForm>
  );
}

const END_VIEWS: FieldViews<Omit<EndMembershipMutationVariables, 'id'>> = {
  endsOn: { ...MEMBERSHIP_VIEWS.endsOn, missing: 'Select a last day' },
};

interface EndMembershipFormProps {
  membership: Membership;
  today: string;
  onClose: () => void;
}

function EndMembershipForm({ membership, today, onClose }: EndMembershipFormProps) {
  const end = useEndMembership(() => {
    notifySuccess('End date saved.');
    onClose();
  });
  const { plan, startsOn } = membership;
  const form = useInputForm('EndMembershipInput', END_VIEWS, {
    row: { endsOn: membership.endsOn ?? (today > startsOn ? today : startsOn) },
    validate: {
      endsOn: (day) => {
        if (!isCalendarDate(day)) return 'Select a last day';
        return day < startsOn ? `Select a day on or after ${formatDate(startsOn)}` : null;
      },
    },
  });
  return (
    <DialogForm
      label="Save end date"
      onSubmit={form.onSubmit((values) =>
        end.mutate({ id: membership.id, ...form.toInput(values) }),
      )}
      mutation={end}
      onCancel={onClose}
    >
      <Text size="sm">
        The plan <b>{plan.name}</b> ends after this day. Existing bookings and their prices stay.
      </Text>
      <InputField form={form} name="endsOn" isFirst />
    </DialogForm>
  );
}
