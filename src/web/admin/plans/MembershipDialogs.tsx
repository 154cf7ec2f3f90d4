import { Select, type SelectProps, SimpleGrid, Text } from '@mantine/core';
import { formatDate } from '../../../core/time/format.ts';
import { Confirmation, DialogForm } from '../../components/Dialog.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import type { FieldViews } from '../../components/input-values.ts';
import { notifySuccess } from '../../components/notify.ts';
import { addDays, isCalendarDate } from '../../components/wall-clock.ts';
import type {
  ChangePlanInput,
  CreateMembershipInput,
  EndMembershipInput,
} from '../../gql/graphql.ts';
import { EditForm } from '../EditForm.tsx';
import { formatBenefit, formatPlanPrice } from './plan-labels.ts';
import {
  type Membership,
  type MembershipHolder,
  type Plan,
  useChangePlan,
  useDeleteMembership,
  useEndMembership,
  usePlans,
  useStartMembership,
  useUndoPlanChange,
} from './queries.ts';

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

export function StartMembershipForm({ holder, today, onClose }: StartMembershipFormProps) {
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
  return (
    <DialogForm
      label="Start membership"
      onSubmit={form.onSubmit((values) => start.mutate({ ...holder, ...form.toInput(values) }))}
      mutation={{ error: start.error ?? plans.error, isPending: start.isPending }}
      onCancel={onClose}
    >
      <PlanSelect
        plans={available}
        selectedId={form.values.planId}
        isEmpty={plans.isSuccess && available.length === 0}
        {...form.getFieldProps('planId')}
      />
      <SimpleGrid cols={2}>
        <InputField form={form} name="startsOn" />
        <InputField form={form} name="endsOn" />
      </SimpleGrid>
    </DialogForm>
  );
}

interface PlanSelectProps extends SelectProps {
  plans: Plan[];
  selectedId: string;
  /** Whether there is none to choose. */
  isEmpty: boolean;
}

/** A plan and what it includes. */
function PlanSelect({ plans, selectedId, isEmpty, ...props }: PlanSelectProps) {
  const selected = plans.find(({ id }) => id === selectedId);
  return (
    <>
      <Select
        data={plans.map((plan) => ({
          value: plan.id,
          label: `${plan.name}, ${formatPlanPrice(plan)}`,
        }))}
        description={isEmpty ? 'No plans are available. Create one under Plans.' : null}
        allowDeselect={false}
        data-autofocus
        {...props}
      />
      {selected?.benefits.map((benefit) => (
        <Text key={benefit.resourceType} size="sm" c="dimmed">
          {formatBenefit(benefit)}
        </Text>
      ))}
    </>
  );
}

const CHANGE_VIEWS: FieldViews<Omit<ChangePlanInput, 'id' | 'ifUpdatedAt'>> = {
  planId: { label: 'New plan', missing: 'Select a plan' },
  startsOn: { label: 'First day of the new plan', type: 'date', missing: 'Select a first day' },
};

interface ChangePlanFormProps {
  membership: Membership;
  isTeam: boolean;
  today: string;
  onClose: () => void;
}

/** Ends one plan and starts another in one step. */
export function ChangePlanForm({ membership, isTeam, today, onClose }: ChangePlanFormProps) {
  const plans = usePlans();
  const { plan, startsOn, endsOn } = membership;
  const change = useChangePlan(() => {
    notifySuccess('Plan changed.');
    onClose();
  });
  const form = useInputForm('ChangePlanInput', CHANGE_VIEWS, {
    row: { updatedAt: membership.updatedAt, startsOn: findFirstChangeDay(membership, today) },
    validate: {
      startsOn: (day) => {
        if (!isCalendarDate(day)) return 'Select a first day';
        if (day <= startsOn) return `Select a day after ${formatDate(startsOn)}`;
        return endsOn !== null && day > endsOn ? `Select a day until ${formatDate(endsOn)}` : null;
      },
    },
  });
  const available = plans.data?.filter(({ active, id }) => active && id !== plan.id) ?? [];
  const selected = available.find(({ id }) => id === form.values.planId);
  const day = form.values.startsOn;
  return (
    <EditForm
      row={membership}
      form={form}
      label="Change plan"
      onSubmit={form.onSubmit((values) =>
        change.mutate({ id: membership.id, ...form.toInput(values), ...form.toChanges(values) }),
      )}
      mutation={{ error: change.error ?? plans.error, isPending: change.isPending }}
      onCancel={onClose}
    >
      <PlanSelect
        plans={available}
        selectedId={form.values.planId}
        isEmpty={plans.isSuccess && available.length === 0}
        {...form.getFieldProps('planId')}
      />
      <InputField form={form} name="startsOn" />
      <Text size="sm">
        {selected && isCalendarDate(day) && (
          <>
            <b>{plan.name}</b> ends on {formatDate(addDays(day, -1))}, and <b>{selected.name}</b>{' '}
            starts on {formatDate(day)}
            {endsOn && `, until ${formatDate(endsOn)}`}.{' '}
          </>
        )}
        Existing bookings and their prices stay.{' '}
        {isTeam ? 'Each member of the team gets one email.' : 'The member gets one email.'}
      </Text>
    </EditForm>
  );
}

/** The first of the next month, if the membership covers it, and otherwise the second day of the membership. */
function findFirstChangeDay({ startsOn, endsOn }: Membership, today: string): string {
  const nextMonth = `${addDays(`${today.slice(0, 8)}01`, 31).slice(0, 8)}01`;
  const isCovered = nextMonth > startsOn && (endsOn === null || nextMonth <= endsOn);
  return isCovered ? nextMonth : addDays(startsOn, 1);
}

interface UndoPlanChangeProps {
  previous: Membership;
  onClose: () => void;
}

export function UndoPlanChangeConfirmation({ previous, onClose }: UndoPlanChangeProps) {
  const undo = useUndoPlanChange(() => {
    notifySuccess('Change undone.');
    onClose();
  });
  const next = previous.nextMembership;
  return (
    <Confirmation
      label="Undo change"
      isDestructive={false}
      pending={undo.isPending}
      error={undo.error}
      onCancel={onClose}
      onConfirm={() => next && undo.mutate(next.id)}
    >
      <b>{previous.plan.name}</b> continues, and the change to <b>{next?.plan.name}</b> is removed.
      An email says so.
    </Confirmation>
  );
}

interface RemoveMembershipProps {
  membership: Membership;
  onClose: () => void;
}

export function RemoveMembershipConfirmation({ membership, onClose }: RemoveMembershipProps) {
  const remove = useDeleteMembership(() => {
    notifySuccess('Membership removed.');
    onClose();
  });
  const { plan, startsOn } = membership;
  return (
    <Confirmation
      label="Remove membership"
      pending={remove.isPending}
      error={remove.error}
      onCancel={onClose}
      onConfirm={() => remove.mutate(membership.id)}
    >
      The membership <b>{plan.name}</b> from {formatDate(startsOn)} is removed as if it had never
      started. No bookings use it. No email is sent.
    </Confirmation>
  );
}

const END_VIEWS: FieldViews<Omit<EndMembershipInput, 'id' | 'ifUpdatedAt'>> = {
  endsOn: { ...MEMBERSHIP_VIEWS.endsOn, missing: 'Select a last day' },
};

interface EndMembershipFormProps {
  membership: Membership;
  today: string;
  onClose: () => void;
}

export function EndMembershipForm({ membership, today, onClose }: EndMembershipFormProps) {
  const end = useEndMembership(() => {
    notifySuccess('End date saved.');
    onClose();
  });
  const { plan, startsOn } = membership;
  const form = useInputForm('EndMembershipInput', END_VIEWS, {
    row: {
      updatedAt: membership.updatedAt,
      endsOn: membership.endsOn ?? (today > startsOn ? today : startsOn),
    },
    validate: {
      endsOn: (day) => {
        if (!isCalendarDate(day)) return 'Select a last day';
        return day < startsOn ? `Select a day on or after ${formatDate(startsOn)}` : null;
      },
    },
  });
  return (
    <EditForm
      row={membership}
      form={form}
      label="Save end date"
      onSubmit={form.onSubmit((values) =>
        end.mutate({ id: membership.id, ...form.toInput(values), ...form.toChanges(values) }),
      )}
      mutation={end}
      onCancel={onClose}
    >
      <Text size="sm">
        The plan <b>{plan.name}</b> ends after this day. Existing bookings and their prices stay.
      </Text>
      <InputField form={form} name="endsOn" isFirst />
    </EditForm>
  );
}
