import { Stack, Text } from '@mantine/core';
import { priceWords } from '../../features/plans/plan-words.ts';
import { Facts } from '../../ui/Facts.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { dayWords } from '../../ui/place-words.ts';
import type { Me } from '../me.ts';
import { Allowance } from './Allowance.tsx';

export function MyMembership({ membership }: { membership: Me['currentMembership'] }) {
  if (membership === null) {
    return (
      <Panel title="No plan">
        <Text size="sm">
          You book at the public prices. Ask at the front desk what a plan would give you.
        </Text>
      </Panel>
    );
  }
  const { plan, team, startsOn, endsOn, usage } = membership;
  return (
    <Panel
      title={plan.name}
      description={
        team ? `The plan of ${team.name}: all of you share its hours.` : priceWords(plan)
      }
    >
      <Facts
        of={[
          ['Since', dayWords(startsOn)],
          ['Last day', endsOn && dayWords(endsOn)],
        ]}
      />
      {plan.benefits.length > 0 && (
        <>
          <Text fw={600} size="sm" mt="md" mb="xs">
            This month
          </Text>
          <Stack gap="md">
            {plan.benefits.map((benefit) => (
              <Allowance
                key={benefit.resourceType}
                benefit={benefit}
                usage={usage.find(({ resourceType }) => resourceType === benefit.resourceType)}
              />
            ))}
          </Stack>
        </>
      )}
    </Panel>
  );
}
