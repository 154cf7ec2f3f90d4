import { Navigate, Outlet, useLocation } from 'react-router';
import { asApiError } from '../api/errors.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { FullPage } from '../ui/FullPage.tsx';
import { PageLoader } from '../ui/PageLoader.tsx';
import { NotStaff } from './NotStaff.tsx';
import { signInPath } from './next-place.ts';
import { useViewer, ViewerProvider } from './viewer.ts';

/** Everything but the sign-in stands below this. */
export function RequireStaff() {
  const location = useLocation();
  const viewer = useViewer();
  if (viewer.data?.kind === 'STAFF') {
    return (
      <ViewerProvider value={viewer.data}>
        <Outlet />
      </ViewerProvider>
    );
  }
  if (viewer.data?.kind === 'ANONYMOUS') {
    return <Navigate replace to={signInPath(location, viewer.data)} />;
  }
  if (viewer.data) return <NotStaff viewer={viewer.data} />;
  if (viewer.error) {
    return (
      <FullPage title="Foyer">
        <ErrorState error={asApiError(viewer.error)} retry={viewer.refetch} />
      </FullPage>
    );
  }
  return <PageLoader />;
}
