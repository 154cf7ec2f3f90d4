import { Radio, Stack } from '@mantine/core';
import type { StaffRole } from '../../gql/graphql.ts';

const ROLES: { value: StaffRole; label: string; description: string }[] = [
  {
    value: 'FRONT_DESK',
    label: 'Front desk',
    description: 'Bookings, orders, members and check-ins. No settings.',
  },
  {
    value: 'MANAGER',
    label: 'Manager',
    description: 'Everything, but no staff accounts and no keys with all permissions.',
  },
  { value: 'OWNER', label: 'Owner', description: 'Everything, staff accounts too.' },
];

interface Props {
  value: StaffRole;
  onChange: (role: StaffRole) => void;
}

export const RoleField = ({ value, onChange }: Props) => (
  <Radio.Group label="Role" value={value} onChange={(role) => onChange(role as StaffRole)}>
    <Stack gap="xs" mt="xs">
      {ROLES.map(({ value, label, description }) => (
        <Radio key={value} value={value} label={label} description={description} />
      ))}
    </Stack>
  </Radio.Group>
);
