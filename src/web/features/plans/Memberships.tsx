import { Button, Group, Stack, Text } from '@mantine/core';
import { Dialog } from '../../ui/Dialog.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { dayWords } from '../../ui/place-words.ts';
import { useDialog } from '../../ui/use-dialog.ts';
import { EndMembership } from './EndMembership.tsx';
import type { Holder, Membership } from './membership-queries.ts';
import { benefitWords, priceWords } from './plan-words.ts';
import { StartMembership } from './StartMembership.tsx';

interface Props {
  holder: Holder;
  name: string;
  memberships: Membership[];
  /** YYYY-MM-DD */
  today: string;
  mayChange: boolean;
  /** Said below the title: that the team has one, too. */
  note?: string | undefined;
}

/** The contracts of a member or a team, the latest first. */
export function Memberships({ holder, name, memberships, today, mayChange, note }: Props) {
  const starting = useDialog();
  const ending = useDialog<Membership>();
  return (
    <Panel
      title="Membership"
      description={note}
      action={
        mayChange && (
          <Button size="xs" variant="default" onClick={() => starting.open(true)}>
            Start on a plan
          </Button>
        )
      }
    >
      <Stack gap="md">
        {memberships.length === 0 && <Text size="sm">None. Bookings cost the public price.</Text>}
        {memberships.map((membership) => (
          <Group key={membership.id} justify="space-between" align="flex-start">
            <MembershipWords membership={membership} today={today} />
            {mayChange && isRunning(membership, today) && (
              <Button
                size="xs"
                variant="default"
                aria-label={`End the membership on ${membership.plan.name}`}
                onClick={() => ending.open(membership)}
              >
                {membership.endsOn === null ? 'End it' : 'Change the end'}
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      <Dialog state={starting} title={`Start ${name} on a plan`}>
        {() => <StartMembership holder={holder} today={today} onClose={starting.close} />}
      </Dialog>
      <Dialog state={ending} title="End this membership">
        {(membership) => (
          <EndMembership membership={membership} today={today} onClose={ending.close} />
        )}
      </Dialog>
    </Panel>
  );
}

const isRunning = ({ endsOn }: Membership, today: string) => endsOn === null || endsOn >= today;

function MembershipWords({ membership, today }: { membership: Membership; today: string }) {
  const { plan, startsOn, endsOn } = membership;
  const isOver = !isRunning(membership, today);
  return (
    <div style={{ flex: '1 1 200px' }}>
      <Text size="sm" fw={600} c={isOver ? 'dimmed' : undefined}>
        {plan.name}, {priceWords(plan)}
      </Text>
      <Text size="sm" c="dimmed">
        {startsOn > today ? 'Begins' : 'Since'} {dayWords(startsOn)}
        {endsOn !== null && `, ${isOver ? 'ended' : 'ends'} ${dayWords(endsOn)}`}
      </Text>
      {!isOver &&
        plan.benefits.map((benefit) => (
          <Text key={benefit.resourceType} size="sm">
            {benefitWords(benefit)}
          </Text>
        ))}
    </div>
  );
}
