import { Button, Menu } from '@mantine/core';
import { Link } from 'react-router';
import { useSignOut } from '../session/sign-out.ts';
import { useStaff } from '../session/viewer.ts';
import { IconDown } from '../ui/icons.tsx';
import { roleName } from './role-names.ts';

export function UserMenu() {
  const viewer = useStaff();
  const signOut = useSignOut();
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <Button variant="subtle" color="gray" rightSection={<IconDown />} maw={220}>
          {viewer.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Signed in as {roleName(viewer.role)}</Menu.Label>
        <Menu.Item component={Link} to="/account">
          Your account
        </Menu.Item>
        <Menu.Item onClick={() => signOut.mutate()} disabled={signOut.isPending}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
