import { Text } from '@mantine/core';
import { Navigate, Outlet } from 'react-router';
import { navSections } from '../admin/nav.ts';
import type { NavSection } from '../admin/nav-section.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { NotFoundPage } from './ErrorPages.tsx';
import { formatRole, useStaffViewer } from './session/viewer.ts';

/** Replaces a section that the viewer has no access to with an explanation. */
export function SectionGuard({ section }: { section: NavSection }) {
  const viewer = useStaffViewer();
  if (section.isVisibleTo(viewer)) return <Outlet />;
  return (
    <>
      <PageHeader title={section.label} description={`For ${section.audience}.`} />
      <EmptyState icon={section.icon} title={`${section.label} are for ${section.audience}`}>
        <Text component="span" inherit>
          You are signed in as <b>{formatRole(viewer.role)}</b>, which does not include access. If
          you need it, ask an owner.
        </Text>
      </EmptyState>
    </>
  );
}

export function DefaultRedirect() {
  const viewer = useStaffViewer();
  const first = navSections.find(({ isVisibleTo }) => isVisibleTo(viewer));
  return first ? <Navigate replace to={`/${first.path}`} /> : <NotFoundPage />;
}
