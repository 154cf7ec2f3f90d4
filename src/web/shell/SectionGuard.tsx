import { Text } from '@mantine/core';
import { Outlet } from 'react-router';
import { useStaff } from '../session/viewer.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { roleName } from './role-names.ts';
import type { Section } from './section.ts';

/** Explains, in place of a page that this person could do nothing with. */
export function SectionGuard({ section }: { section: Section }) {
  const viewer = useStaff();
  if (section.isFor(viewer)) return <Outlet />;
  return (
    <>
      <PageHeader title={section.label} description={`For ${section.audience}.`} />
      <EmptyState icon={section.icon} title={`${section.label} are for ${section.audience}`}>
        <Text component="span" inherit>
          You are signed in as <b>{roleName(viewer.role)}</b>, which does not include this. If you
          need it for your work, ask an owner of the space.
        </Text>
      </EmptyState>
    </>
  );
}
