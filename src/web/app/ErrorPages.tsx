import { Anchor, Text } from '@mantine/core';
import { Link, Navigate, Outlet } from 'react-router';
import { navSections } from '../admin/nav.ts';
import type { NavSection } from '../admin/nav-section.ts';
import { EmptyState, PageHeader } from '../components/PageLayout.tsx';
import { canOpen, formatRole, useStaffViewer } from './session/viewer.ts';

export const NotFoundPage = () => (
  <>
    <PageHeader title="Page not found" description="The address may be mistyped or out of date." />
    <Anchor component={Link} to="/">
      Go to the home page
    </Anchor>
  </>
);

/** Replaces a section that the viewer cannot open with an explanation. */
export function SectionGuard({ section }: { section: NavSection }) {
  const viewer = useStaffViewer();
  if (canOpen(viewer, section)) return <Outlet />;
  return (
    <>
      <PageHeader title={section.label} description={null} />
      <EmptyState icon={section.icon} title={`Only ${section.audience} can open this page`}>
        <Text component="span" inherit>
          Your role is <b>{formatRole(viewer.role)}</b>. If you need this page, ask an owner to
          change your role.
        </Text>
      </EmptyState>
    </>
  );
}

export function DefaultRedirect() {
  const viewer = useStaffViewer();
  const first = navSections.find((section) => canOpen(viewer, section));
  return first ? <Navigate replace to={`/${first.path}`} /> : <NotFoundPage />;
}
