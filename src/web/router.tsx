import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { MEMBERS_PATH, PANEL_PATH, serviceUrl } from './api/urls.ts';
import { sections } from './features/index.ts';
import { FRONT_DOOR_PLACES, frontDoorPages } from './front-door.ts';
import { myPages } from './my/pages.ts';
import { PUBLIC_PLACES, publicPages } from './public/pages.ts';
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
    { index: true, ...loaded(section.load) },
    ...(section.pages ?? []).map(({ path, load }) => ({ path, ...loaded(load) })),
  ],
});

const loaded = (load: Section['load']) => ({
  lazy: async () => ({ Component: (await load()).Page }),
  HydrateFallback: PageLoader,
});

const panel = () =>
  createBrowserRouter(
    [
      {
        errorElement: <CrashPage />,
        HydrateFallback: PageLoader,
        children: [
          { path: 'sign-in', lazy: () => import('./session/SignInPage.tsx') },
          { path: 'set-password', lazy: () => import('./session/SetPasswordPage.tsx') },
          {
            element: <RequireStaff />,
            children: [
              {
                lazy: () => import('./shell/Shell.tsx'),
                children: [
                  { index: true, element: <FirstSection /> },
                  ...sections.map(routeOf),
                  { path: 'account', lazy: () => import('./features/account/AccountPage.tsx') },
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

const members = () =>
  createBrowserRouter(
    [
      {
        errorElement: <CrashPage />,
        HydrateFallback: PageLoader,
        children: [
          { path: 'sign-in', lazy: () => import('./session/members/MemberSignInPage.tsx') },
          { path: 'confirm-email', lazy: () => import('./session/members/ConfirmEmailPage.tsx') },
          { path: 'approve-email', lazy: () => import('./session/members/ApproveEmailPage.tsx') },
          {
            lazy: () => import('./session/members/RequireMember.tsx'),
            children: [myPages, { path: '*', element: <Navigate replace to="/" /> }],
          },
        ],
      },
    ],
    { basename: MEMBERS_PATH },
  );

/** Those for everybody stand right below the service's own address. */
const BASE = new URL(serviceUrl('')).pathname.replace(/\/$/, '');

const everybody = () =>
  createBrowserRouter(
    [
      {
        errorElement: <CrashPage />,
        HydrateFallback: PageLoader,
        children: [...frontDoorPages, publicPages],
      },
    ],
    { basename: BASE || '/' },
  );

const isWithin = (base: string) => `${location.pathname}/`.startsWith(`${base}/`);

function chosen() {
  if (isWithin(MEMBERS_PATH)) return members();
  return [...PUBLIC_PLACES, ...FRONT_DOOR_PLACES].some((place) => isWithin(`${BASE}/${place}`))
    ? everybody()
    : panel();
}

export const router = chosen();
