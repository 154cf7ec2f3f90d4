import { Anchor, Button, Text } from '@mantine/core';
import { Link, Navigate, Outlet } from 'react-router';
import { type NavSection, navSections } from '../admin/nav.ts';
import { CenteredPage, EmptyState, PageHeader } from '../components/PageLayout.tsx';
import { formatRole, useStaffViewer } from './session/viewer.ts';

/** Also shown if the code of a page no longer exists because Foyer was updated. */
export const CrashPage = () => (
  <CenteredPage title="Something went wrong">
    <Text>Foyer may have been updated, or the connection was lost. Reload the page.</Text>
    <Button mt="lg" onClick={() => window.location.reload()}>
      Reload
    </Button>
  </CenteredPage>
);

export const NotFoundPage = () => (
  <>
    <PageHeader title="Page not found" description="The address may be mistyped or out of date." />
    <Anchor component={Link} to="/">
      Go to the home page
    </Anchor>
  </>
);

/** Replaces a section that the viewer has no access to with an explanation. */
export function SectionGuard({ section }: { section: NavSection }) {
  const viewer = useStaffViewer();
  if (section.isVisibleTo(viewer)) return <Outlet />;
  return (
    <>
      <PageHeader title={section.label} description={`For ${section.audience}.`} />
      <EmptyState icon={section.icon} title={`${section.label} are for ${section.audience}`}>
        <Text component="span" inherit>
          You are signed in as <b>{formatRole(viewer.role)}</b>, a role without access to this
          section. Ask an owner if you need it.
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
