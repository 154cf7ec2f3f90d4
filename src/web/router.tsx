import { createBrowserRouter, type RouteObject } from 'react-router';
import { PANEL_PATH } from './api/urls.ts';
import { sections } from './features/index.ts';
import { RequireStaff } from './session/RequireStaff.tsx';
import { CrashPage } from './shell/CrashPage.tsx';
import { FirstSection } from './shell/FirstSection.tsx';
import { NotFoundPage } from './shell/NotFoundPage.tsx';
import { SectionGuard } from './shell/SectionGuard.tsx';
import type { Section } from './shell/section.ts';
import { PageLoader } from './ui/PageLoader.tsx';

const routeOf = (section: Section): RouteObject => ({
  path: section.path,
  element: <SectionGuard section={section} />,
  children: [
    {
      index: true,
      lazy: async () => ({ Component: (await section.load()).Page }),
      HydrateFallback: PageLoader,
    },
  ],
});

export const router = createBrowserRouter(
  [
    {
      errorElement: <CrashPage />,
      HydrateFallback: PageLoader,
      children: [
        { path: 'sign-in', lazy: () => import('./session/SignInPage.tsx') },
        {
          element: <RequireStaff />,
          children: [
            {
              lazy: () => import('./shell/Shell.tsx'),
              children: [
                { index: true, element: <FirstSection /> },
                ...sections.map(routeOf),
                { path: '*', element: <NotFoundPage /> },
              ],
            },
          ],
        },
      ],
    },
  ],
  { basename: PANEL_PATH },
);
