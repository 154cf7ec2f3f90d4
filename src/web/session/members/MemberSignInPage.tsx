import { Navigate } from 'react-router';
import { FullPage } from '../../ui/FullPage.tsx';
import { PageLoader } from '../../ui/PageLoader.tsx';
import { useViewer } from '../viewer.ts';
import { useLinkSecret } from './link-secret.ts';
import { RedeemLink } from './RedeemLink.tsx';
import { RequestLink } from './RequestLink.tsx';

export function Component() {
  const link = useLinkSecret();
  const viewer = useViewer();
  if (viewer.isPending) return <PageLoader />;
  // Who comes with a link wants to sign in with it, whoever is signed in.
  if (link.secret !== null) {
    return (
      <FullPage title="Sign in">
        <RedeemLink secret={link.secret} onAskForAnother={link.forget} />
      </FullPage>
    );
  }
  if (viewer.data && viewer.data.kind !== 'ANONYMOUS') return <Navigate replace to="/" />;
  return (
    <FullPage title="Sign in">
      <RequestLink />
    </FullPage>
  );
}
