import { Navigate } from 'react-router';
import { sections } from '../features/index.ts';
import { useStaff } from '../session/viewer.ts';
import { NotFoundPage } from './NotFoundPage.tsx';

export function FirstSection() {
  const viewer = useStaff();
  const first = sections.find(({ isFor }) => isFor(viewer));
  return first ? <Navigate replace to={`/${first.path}`} /> : <NotFoundPage />;
}
