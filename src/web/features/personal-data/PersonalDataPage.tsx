import { Stack } from '@mantine/core';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Erasures } from './Erasures.tsx';
import { FindPerson } from './FindPerson.tsx';
import { RetentionPolicies } from './RetentionPolicies.tsx';

export function PersonalDataPage() {
  return (
    <>
      <PageHeader
        title="Personal data"
        description="Answer people who ask what is stored about them, erase a person, and decide how long data is kept."
      />
      <Stack>
        <FindPerson />
        <RetentionPolicies />
        <Erasures />
      </Stack>
    </>
  );
}
