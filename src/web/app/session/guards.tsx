import { Anchor, Button, Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Location, Navigate, Outlet, useLocation } from 'react-router';
import { toApiError } from '../../api/errors.ts';
import { ADMIN_PATH, MEMBER_PATH } from '../../api/urls.ts';
import { SESSION_DIALOG_LAYER } from '../../components/Dialog.tsx';
import { ErrorAlert } from '../../components/ErrorAlerts.tsx';
import { CenteredPage, PageLoader } from '../../components/PageLayout.tsx';
import { getMemberText, renderMemberText } from '../../language/member-texts.ts';
import { getText } from '../../language/page-texts.ts';
import { SignInForm, SignInLinkForm } from './SignInPages.tsx';
import { useSignOut } from './session-changes.ts';
import { useViewer, type Viewer, ViewerProvider } from './viewer.ts';

/** Guards every panel page except sign-in. */
export function RequireStaff() {
  const location = useLocation();
  return (
    <RequireViewer
      kind="STAFF"
      signInPath={toSignInPath(location)}
      signInForm={<SignInForm />}
      renderOther={(viewer) => <StaffOnlyNotice viewer={viewer} />}
    />
  );
}

/** Guards every member page except sign-in. */
export const RequireMember = () => (
  <RequireViewer
    kind="MEMBER"
    signInPath="/sign-in"
    signInForm={<SignInLinkForm email="" />}
    renderOther={(viewer) => <MemberOnlyNotice viewer={viewer} />}
  />
);

interface RequireViewerProps {
  kind: 'STAFF' | 'MEMBER';
  signInPath: string;
  /** Shown above the page if the session ends, so that what was typed on it stays. */
  signInForm: ReactNode;
  /** Shown to viewers who are signed in with another kind of account. */
  renderOther: (viewer: Viewer) => ReactNode;
}

function RequireViewer({ kind, signInPath, signInForm, renderOther }: RequireViewerProps) {
  const viewer = useViewer();
  const ended = viewer.data?.endedSession;
  const shown = ended ?? viewer.data;
  if (shown?.kind === kind) {
    return (
      <ViewerProvider value={shown}>
        <Outlet key={shown.callerId} />
        <SessionEndedDialog opened={ended !== undefined && ended !== null}>
          {signInForm}
        </SessionEndedDialog>
      </ViewerProvider>
    );
  }
  if (viewer.data?.kind === 'ANONYMOUS') return <Navigate replace to={signInPath} />;
  if (viewer.data) return renderOther(viewer.data);
  if (viewer.error) {
    return (
      <CenteredPage title={getText('page.crash')}>
        <ErrorAlert error={toApiError(viewer.error)} retry={viewer.refetch} />
      </CenteredPage>
    );
  }
  return <PageLoader />;
}

interface SessionEndedDialogProps {
  opened: boolean;
  children: ReactNode;
}

/** Covers the page and its dialogs, and leaves them as they are. */
const SessionEndedDialog = ({ opened, children }: SessionEndedDialogProps) => (
  <Modal
    opened={opened}
    onClose={() => undefined}
    closeOnClickOutside={false}
    closeOnEscape={false}
    withCloseButton={false}
    zIndex={SESSION_DIALOG_LAYER}
    overlayProps={{ color: 'var(--mantine-color-body)', backgroundOpacity: 1 }}
    title={getMemberText('session.ended')}
    transitionProps={{ duration: 0 }}
  >
    <Text size="sm" mb="md">
      {getMemberText('session.endedHelp')}
    </Text>
    {children}
  </Modal>
);

const StaffOnlyNotice = ({ viewer }: { viewer: Viewer }) => (
  <CenteredPage title="Staff only">
    <Text>
      You are signed in as <b>{viewer.name ?? 'a member'}</b>, which is not a staff account. If you
      work here, ask an owner for an invitation.
      {viewer.kind === 'MEMBER' && (
        <>
          {' '}
          Members sign in on <Anchor href={MEMBER_PATH}>the member page</Anchor>.
        </>
      )}
    </Text>
    <SignOutButton />
  </CenteredPage>
);

const MemberOnlyNotice = ({ viewer }: { viewer: Viewer }) => (
  <CenteredPage title={getMemberText('session.membersOnly')}>
    <Text>
      {renderMemberText(
        'session.membersOnlyHelp',
        {
          b: (content) => <b>{content}</b>,
          a: (content) => <Anchor href={ADMIN_PATH}>{content}</Anchor>,
        },
        { name: viewer.name ?? getMemberText('session.staff') },
      )}
    </Text>
    <SignOutButton />
  </CenteredPage>
);

function SignOutButton() {
  const signOut = useSignOut();
  return (
    <Button mt="lg" onClick={() => signOut.mutate()} loading={signOut.isPending}>
      {getMemberText('nav.signOut')}
    </Button>
  );
}

/** The path of the staff sign-in page, with the current page as return URL. */
function toSignInPath({ pathname, search }: Location): string {
  const returnUrl = pathname + search;
  return returnUrl === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams({ next: returnUrl })}`;
}
