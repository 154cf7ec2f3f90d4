import { Code, Group, Progress, Stack, Text } from '@mantine/core';
import { formatDate, formatDuration } from '../../../core/time/format.ts';
import { SessionList } from '../../admin/account/SessionList.tsx';
import { MemberCalendar } from '../../admin/members/MemberCalendar.tsx';
import { formatBenefit, formatPlanPrice } from '../../admin/plans/plan-labels.ts';
import type { Plan } from '../../admin/plans/queries.ts';
import { formatResourceTypePlural } from '../../admin/spaces/resource-labels.ts';
import { DescriptionList, PageHeader, SectionCard } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { capitalize } from '../../components/text.ts';
import { type CurrentMember, useMyPlan } from './current-member.ts';
import { EmailSettings } from './EmailSettings.tsx';
import { MembershipPausedNotice } from './MembershipPausedNotice.tsx';

export function Component() {
  const plan = useMyPlan();
  return (
    <>
      <PageHeader title="My plan" description="Your membership, and what you’ve used this month." />
      <MembershipPausedNotice status={plan.data?.member.status} />
      <QueryBoundary query={plan} height={320}>
        {({ member, sessions, emailPreferences }) => (
          <Stack>
            <MembershipCard membership={member.currentMembership} />
            <SectionCard
              title="Your details"
              description="If anything is wrong, the front desk can correct it."
            >
              <DescriptionList
                items={[
                  ['Name', member.name],
                  ['Email', member.email],
                  ['Member code', <Code key="code">{member.code}</Code>],
                ]}
              />
              <Text size="sm" c="dimmed" mt="xs">
                Use this code to check in at the kiosk or the front desk.
              </Text>
            </SectionCard>
            <MemberCalendar member={member} feeds={member.calendarFeeds.nodes} canChange />
            <EmailSettings preferences={emailPreferences} />
            <SessionList sessions={sessions} />
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
          You pay standard prices. Ask at the front desk about membership plans.
        </Text>
      </SectionCard>
    );
  }
  const { plan, team, startsOn, endsOn, usage, nextMembership: next } = membership;
  return (
    <SectionCard
      title={plan.name}
      description={
        team ? `${team.name}’s plan. Your team shares its hours.` : formatPlanPrice(plan)
      }
    >
      <DescriptionList
        items={[
          ['Since', formatDate(startsOn)],
          ['Last day', endsOn && formatDate(endsOn)],
          ['Next plan', next && `${next.plan.name}, from ${formatDate(next.startsOn)}`],
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

/** Shows how many of the included hours are used this month. */
export function BenefitUsage({ benefit, usage }: BenefitUsageProps) {
  const { resourceType, includedHours, limitHours } = benefit;
  const name = formatResourceTypePlural(resourceType);
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
          aria-label={`${name}: included hours used`}
        />
      )}
      <Text size="sm" c="dimmed" mt={4}>
        {capitalize(formatBenefit(benefit))}.
        {limitHours !== null && ` Booked so far: ${formatDuration(booked)}.`}
      </Text>
    </div>
  );
}
