import { Stack } from '@mantine/core';
import { useStaff } from '../../session/viewer.ts';
import { roleName } from '../../shell/role-names.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ChangePassword } from './ChangePassword.tsx';
import { Sessions } from './Sessions.tsx';

export function Component() {
  const { name, role } = useStaff();
  return (
    <>
      <PageHeader
        title="Your account"
        description={`You are ${name ?? 'somebody'}, signed in as ${roleName(role)}.`}
      />
      <Stack maw={720}>
        <Sessions />
        <ChangePassword />
      </Stack>
    </>
  );
}
