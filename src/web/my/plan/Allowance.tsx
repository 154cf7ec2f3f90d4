import { Group, Progress, Text } from '@mantine/core';
import { benefitWords } from '../../features/plans/plan-words.ts';
import type { Plan } from '../../features/plans/queries.ts';
import { RESOURCE_TYPES } from '../../features/spaces/resource-types.ts';
import { durationWords } from '../../ui/place-words.ts';
import type { Me } from '../me.ts';

type Usage = NonNullable<Me['currentMembership']>['usage'][number];

interface Props {
  benefit: Plan['benefits'][number];
  usage: Usage | undefined;
}

/** What is used of one type in this month, of how much. */
export function Allowance({ benefit, usage }: Props) {
  const { resourceType, includedHours, limitHours } = benefit;
  const name = RESOURCE_TYPES.find(({ value }) => value === resourceType)?.plural ?? resourceType;
  const used = usage?.includedMinutes ?? 0;
  const booked = usage?.bookedMinutes ?? 0;
  return (
    <div>
      <Group justify="space-between" gap="xs" align="baseline">
        <Text size="sm" fw={500}>
          {name}
        </Text>
        {includedHours > 0 && (
          <Text size="sm">
            {durationWords(used)} of {includedHours} h used
          </Text>
        )}
      </Group>
      {includedHours > 0 && (
        <Progress
          mt={4}
          value={Math.min(100, (used / (includedHours * 60)) * 100)}
          aria-label={`${name}: used of what is included`}
        />
      )}
      <Text size="sm" c="dimmed" mt={4}>
        {upper(benefitWords(benefit))}.
        {limitHours !== null && ` Booked so far: ${durationWords(booked)}.`}
      </Text>
    </div>
  );
}

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
