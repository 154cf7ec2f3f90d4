import { Code, Stack, Text } from '@mantine/core';
import { Sessions } from '../../features/account/Sessions.tsx';
import { MemberCalendar } from '../../features/members/MemberCalendar.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { useMe } from '../me.ts';
import { Paused } from '../Paused.tsx';
import { MyMembership } from './MyMembership.tsx';

export function Component() {
  const me = useMe();
  return (
    <>
      <PageHeader title="My plan" description="What you subscribe to, and what is left of it." />
      <Paused />
      <Loaded query={me} height={320}>
        {(me) => (
          <Stack>
            <MyMembership membership={me.currentMembership} />
            <Panel title="You" description="Something is wrong? The front desk can change it.">
              <Facts
                of={[
                  ['Name', me.name],
                  ['E-mail', me.email],
                  ['Member code', <Code key="code">{me.code}</Code>],
                ]}
              />
              <Text size="sm" c="dimmed" mt="xs">
                Give your code at the door or at the front desk to check in.
              </Text>
            </Panel>
            <MemberCalendar member={me} mayChange />
            <Sessions />
          </Stack>
        )}
      </Loaded>
    </>
  );
}
