import { SegmentedControl, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { may, useStaff } from '../../session/viewer.ts';
import { MemberSelect } from '../members/MemberSelect.tsx';
import type { BookingFormState, BookingValues } from './booking-form.ts';

const KINDS = [
  { value: 'member', label: 'For a member' },
  { value: 'guest', label: 'For a guest' },
];

export function HolderFields({ form }: { form: BookingFormState }) {
  const mayFind = may(useStaff(), 'members:read');
  return (
    <Stack gap="xs">
      {mayFind && (
        <SegmentedControl
          aria-label="Who books"
          data={KINDS}
          value={form.values.kind}
          onChange={(kind) => form.setFieldValue('kind', kind as BookingValues['kind'])}
        />
      )}
      {mayFind && form.values.kind === 'member' ? (
        <MemberSelect
          value={form.values.member}
          onChange={(member) => form.setFieldValue('member', member)}
          error={form.errors.member}
        />
      ) : (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label="Name of the guest"
            maxLength={100}
            {...form.getInputProps('guestName')}
          />
          <TextInput
            type="email"
            label="E-mail address (optional)"
            maxLength={254}
            {...form.getInputProps('guestEmail')}
          />
        </SimpleGrid>
      )}
    </Stack>
  );
}
