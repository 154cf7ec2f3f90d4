import { Code, Group, Progress, Stack, Text } from '@mantine/core';
import { SessionList } from '../../admin/account/SessionList.tsx';
import { MemberCalendar } from '../../admin/members/MemberCalendar.tsx';
import { formatBenefit, formatPlanPrice } from '../../admin/plans/plan-labels.ts';
import type { Plan } from '../../admin/plans/queries.ts';
import { RESOURCE_TYPES } from '../../admin/spaces/resource-labels.ts';
import { DescriptionList } from '../../components/DescriptionList.tsx';
import { formatDate, formatDuration } from '../../components/format-local-time.ts';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { SectionCard } from '../../components/SectionCard.tsx';
import { type CurrentMember, useCurrentMember } from './current-member.ts';
import { MembershipPausedNotice } from './MembershipPausedNotice.tsx';

export function Component() {
  const me = useCurrentMember();
  return (
    <>
      <PageHeader title="My plan" description="What you subscribe to, and what is left of it." />
      <MembershipPausedNotice />
      <QueryBoundary query={me} height={320}>
        {(me) => (
          <Stack>
            <MembershipCard membership={me.currentMembership} />
            <SectionCard
              title="You"
              description="Something is wrong? The front desk can change it."
            >
              <DescriptionList
                items={[
                  ['Name', me.name],
                  ['E-mail', me.email],
                  ['Member code', <Code key="code">{me.code}</Code>],
                ]}
              />
              <Text size="sm" c="dimmed" mt="xs">
                Give your code at the door or at the front desk to check in.
              </Text>
            </SectionCard>
            <MemberCalendar member={me} mayChange />
            <SessionList />
          </Stack>
        )}
      </QueryBoundary>
    </>
  );
}

export function MembershipCard({ membership }: { membership: CurrentMember['currentMembership'] }) {
  if (membership === null) {
    return (
      <SectionCard title="No plan">
        <Text size="sm">
          You book at the public prices. Ask at the front desk what a plan would give you.
        </Text>
      </SectionCard>
    );
  }
  const { plan, team, startsOn, endsOn, usage } = membership;
  return (
    <SectionCard
      title={plan.name}
      description={
        team ? `The plan of ${team.name}: all of you share its hours.` : formatPlanPrice(plan)
      }
    >
      <DescriptionList
        items={[
          ['Since', formatDate(startsOn)],
          ['Last day', endsOn && formatDate(endsOn)],
        ]}
      />
      {plan.benefits.length > 0 && (
        <>
          <Text fw={600} size="sm" mt="md" mb="xs">
            This month
          </Text>
          <Stack gap="md">
            {plan.benefits.map((benefit) => (
              <BenefitUsage
                key={benefit.resourceType}
                benefit={benefit}
                usage={usage.find(({ resourceType }) => resourceType === benefit.resourceType)}
              />
            ))}
          </Stack>
        </>
      )}
    </SectionCard>
  );
}

type MonthlyUsage = NonNullable<CurrentMember['currentMembership']>['usage'][number];

interface BenefitUsageProps {
  benefit: Plan['benefits'][number];
  usage: MonthlyUsage | undefined;
}

/** What is used of one type in this month, of how much. */
export function BenefitUsage({ benefit, usage }: BenefitUsageProps) {
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
            {formatDuration(used)} of {includedHours} h used
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
        {capitalize(formatBenefit(benefit))}.
        {limitHours !== null && ` Booked so far: ${formatDuration(booked)}.`}
      </Text>
    </div>
  );
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
