import { Code, Group, Progress, Stack, Text } from '@mantine/core';
import { formatDuration } from '../../../core/time/format.ts';
import { SessionList } from '../../admin/account/SessionList.tsx';
import { MemberCalendar } from '../../admin/members/MemberCalendar.tsx';
import { formatBenefit, formatPlanPrice } from '../../admin/plans/plan-labels.ts';
import type { Plan } from '../../admin/plans/queries.ts';
import { formatResourceTypePlural } from '../../admin/spaces/resource-labels.ts';
import { DescriptionList, PageHeader, SectionCard } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { capitalize } from '../../components/text.ts';
import { getMemberText } from '../../language/member-texts.ts';
import { formatDate } from '../../language/page-dates.ts';
import { type CurrentMember, useMyPlan } from './current-member.ts';
import { EmailSettings } from './EmailSettings.tsx';
import { MembershipPausedNotice } from './MembershipPausedNotice.tsx';

export function Component() {
  const plan = useMyPlan();
  return (
    <>
      <PageHeader
        title={getMemberText('plan.title')}
        description={getMemberText('plan.description')}
      />
      <MembershipPausedNotice status={plan.data?.member.status} />
      <QueryBoundary query={plan} height={320}>
        {({ member, sessions, emailPreferences }) => (
          <Stack>
            <MembershipCard membership={member.currentMembership} />
            <SectionCard
              title={getMemberText('plan.details')}
              description={getMemberText('plan.detailsHelp')}
            >
              <DescriptionList
                items={[
                  [getMemberText('plan.name'), member.name],
                  [getMemberText('plan.email'), member.email],
                  [getMemberText('plan.code'), <Code key="code">{member.code}</Code>],
                ]}
              />
              <Text size="sm" c="dimmed" mt="xs">
                {getMemberText('plan.codeHelp')}
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
      <SectionCard title={getMemberText('plan.none')}>
        <Text size="sm">{getMemberText('plan.noneHelp')}</Text>
      </SectionCard>
    );
  }
  const { plan, team, startsOn, endsOn, usage, nextMembership: next } = membership;
  return (
    <SectionCard
      title={plan.name}
      description={team ? getMemberText('plan.ofTeam', { team: team.name }) : formatPlanPrice(plan)}
    >
      <DescriptionList
        items={[
          [getMemberText('plan.since'), formatDate(startsOn)],
          [getMemberText('plan.lastDay'), endsOn && formatDate(endsOn)],
          [
            getMemberText('plan.next'),
            next &&
              getMemberText('plan.nextFrom', {
                plan: next.plan.name,
                day: formatDate(next.startsOn),
              }),
          ],
        ]}
      />
      {plan.benefits.length > 0 && (
        <>
          <Text fw={600} size="sm" mt="md" mb="xs">
            {getMemberText('plan.thisMonth')}
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
            {getMemberText('plan.used', { used: formatDuration(used), hours: includedHours })}
          </Text>
        )}
      </Group>
      {includedHours > 0 && (
        <Progress
          mt={4}
          value={Math.min(100, (used / (includedHours * 60)) * 100)}
          aria-label={getMemberText('plan.usedHours', { resources: name })}
        />
      )}
      <Text size="sm" c="dimmed" mt={4}>
        {capitalize(formatBenefit(benefit))}.
        {limitHours !== null &&
          ` ${getMemberText('plan.booked', { booked: formatDuration(booked) })}`}
      </Text>
    </div>
  );
}
