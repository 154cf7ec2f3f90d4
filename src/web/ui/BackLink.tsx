import { Anchor, Group } from '@mantine/core';
import { Link } from 'react-router';
import { IconLeft } from './icons.tsx';

export const BackLink = ({ to, children }: { to: string; children: string }) => (
  <Anchor component={Link} to={to} size="sm" display="inline-block" mb="xs">
    <Group gap={4} component="span">
      <IconLeft size={16} />
      {children}
    </Group>
  </Anchor>
);
