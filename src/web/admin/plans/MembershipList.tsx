import { Button, Group, Stack, Text } from '@mantine/core';
import { formatDate } from '../../../core/time/format.ts';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { SectionCard } from '../../components/PageLayout.tsx';
import {
  ChangePlanForm,
  EndMembershipForm,
  RemoveMembershipConfirmation,
  StartMembershipForm,
  UndoPlanChangeConfirmation,
} from './MembershipDialogs.tsx';
import { formatBenefit, formatPlanPrice } from './plan-labels.ts';
import type { Membership, MembershipHolder } from './queries.ts';

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
  const changing = useDialog<Membership>();
  const ending = useDialog<Membership>();
  const undoing = useDialog<Membership>();
  const removing = useDialog<Membership>();
  return (
    <SectionCard
      title="Membership"
      label={`Membership of ${name}`}
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
            <MembershipActions
              membership={membership}
              previous={memberships.find(
                ({ nextMembership }) => nextMembership?.id === membership.id,
              )}
              today={today}
              onChangePlan={changing.open}
              onEnd={ending.open}
              onUndo={undoing.open}
              onRemove={removing.open}
            />
          </Group>
        ))}
      </Stack>
      <Dialog state={starting} title={`Start membership for ${name}`}>
        {() => <StartMembershipForm holder={holder} today={today} onClose={starting.close} />}
      </Dialog>
      <Dialog state={changing} title={`Change the plan of ${name}`}>
        {(membership) => (
          <ChangePlanForm
            membership={membership}
            isTeam={'teamId' in holder}
            today={today}
            onClose={changing.close}
          />
        )}
      </Dialog>
      <Dialog state={undoing} title="Undo the change of the plan?">
        {(previous) => <UndoPlanChangeConfirmation previous={previous} onClose={undoing.close} />}
      </Dialog>
      <Dialog state={removing} title="Remove membership?">
        {(membership) => (
          <RemoveMembershipConfirmation membership={membership} onClose={removing.close} />
        )}
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

interface MembershipActionsProps {
  membership: Membership;
  /** The membership that this one continues with another plan. */
  previous: Membership | undefined;
  today: string;
  onChangePlan: (membership: Membership) => void;
  onEnd: (membership: Membership) => void;
  /** Receives the previous membership. */
  onUndo: (previous: Membership) => void;
  onRemove: (membership: Membership) => void;
}

function MembershipActions({ membership, previous, today, ...on }: MembershipActionsProps) {
  const { plan, endsOn, allowedActions } = membership;
  if (!allowedActions.end) return null;
  const isCurrent = isCurrentMembership(membership, today);
  const canUndo = previous?.nextMembership?.allowedActions.undoPlanChange === true;
  const end = endsOn === null ? 'End' : 'Change end';
  return (
    <Group gap="xs">
      {isCurrent && allowedActions.changePlan && membership.nextMembership === null && (
        <Button
          size="xs"
          variant="default"
          aria-label={`Change plan ${plan.name}`}
          onClick={() => on.onChangePlan(membership)}
        >
          Change plan
        </Button>
      )}
      {isCurrent && membership.nextMembership === null && (
        <Button
          size="xs"
          variant="default"
          aria-label={`${end} of ${plan.name}`}
          onClick={() => on.onEnd(membership)}
        >
          {end}
        </Button>
      )}
      {canUndo && (
        <Button
          size="xs"
          variant="default"
          aria-label={`Undo change to ${plan.name}`}
          onClick={() => on.onUndo(previous)}
        >
          Undo change
        </Button>
      )}
      {allowedActions.delete && !canUndo && membership.nextMembership === null && (
        <Button
          size="xs"
          variant="subtle"
          color="red"
          aria-label={`Remove ${plan.name}`}
          onClick={() => on.onRemove(membership)}
        >
          Remove
        </Button>
      )}
    </Group>
  );
}

function MembershipSummary({ membership, today }: { membership: Membership; today: string }) {
  const { plan, startsOn, endsOn, nextMembership: next } = membership;
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
      {next && (
        <Text size="sm">
          {next.startsOn > today ? 'Changes' : 'Changed'} to {next.plan.name} on{' '}
          {formatDate(next.startsOn)}
        </Text>
      )}
      {!isOver &&
        plan.benefits.map((benefit) => (
          <Text key={benefit.resourceType} size="sm">
            {formatBenefit(benefit)}
          </Text>
        ))}
    </div>
  );
}
