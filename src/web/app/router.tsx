import { createBrowserRouter, matchRoutes, Navigate, type RouteObject } from 'react-router';
import { navSections } from '../admin/nav.ts';
import type { NavSection } from '../admin/nav-section.ts';
import { ADMIN_PATH, EMBED_PATH, isEmbedded, MEMBER_PATH, toServiceUrl } from '../api/urls.ts';
import { CrashPage } from '../components/CrashPage.tsx';
import { PageLoader } from '../components/PageLayout.tsx';
import { embedRoutes } from '../embeds/routes.tsx';
import { memberRoutes } from '../member/routes.ts';
import { PUBLIC_PATHS, toPublicRouterRoutes } from '../public/routes.tsx';
import { DefaultRedirect, NotFoundPage, SectionGuard } from './ErrorPages.tsx';

// Other pages do not load the code of sign-in and its texts.
const loadGuards = () => import('./session/guards.tsx');
const loadSignInPages = () => import('./session/SignInPages.tsx');
const loadMemberEmailPages = () => import('./session/MemberEmailPages.tsx');

const loadSetup = () => import('../admin/setup/SetupPage.tsx');

/** Pages without the shell of another: for unattended displays and kiosks, and the first setup. */
const standaloneRoutes: RouteObject[] = [
  { path: 'display', lazy: () => import('../display/DisplayPage.tsx') },
  { path: 'kiosk', lazy: () => import('../kiosk/ChooseLocationPage.tsx') },
  { path: 'kiosk/:location', lazy: () => import('../kiosk/KioskPage.tsx') },
  { path: 'setup', lazy: loadSetup },
  { path: 'setup/:step', lazy: loadSetup },
];

/** The first segments of their paths. */
const STANDALONE_PATHS = ['display', 'kiosk', 'setup'];

const toSectionRoute = (section: NavSection): RouteObject => ({
  path: section.path,
  element: <SectionGuard section={section} />,
  children: [
    { index: true, ...toLazyRoute(section.load) },
    ...(section.pages ?? []).map(({ path, load }) => ({ path, ...toLazyRoute(load) })),
  ],
});

const toLazyRoute = (load: NavSection['load']) => ({
  lazy: async () => ({ Component: (await load()).Page }),
  HydrateFallback: PageLoader,
});

const createAdminRouter = () =>
  createBrowserRouter(
    [
      {
        errorElement: <CrashPage />,
        HydrateFallback: PageLoader,
        children: [
          {
            path: 'sign-in',
            lazy: async () => ({ Component: (await loadSignInPages()).StaffSignInPage }),
          },
          { path: 'forgot-password', lazy: () => import('./session/ForgotPasswordPage.tsx') },
          { path: 'set-password', lazy: () => import('./session/SetPasswordPage.tsx') },
          {
            lazy: async () => ({ Component: (await loadGuards()).RequireStaff }),
            children: [
              {
                lazy: () => import('./Shell.tsx'),
                children: [
                  { index: true, element: <DefaultRedirect /> },
                  ...navSections.map(toSectionRoute),
                  { path: 'account', lazy: () => import('../admin/account/AccountPage.tsx') },
                  { path: '*', element: <NotFoundPage /> },
                ],
              },
            ],
          },
        ],
      },
    ],
    { basename: ADMIN_PATH },
  );

/** Beside the code of the page. The router waits for both before it shows the page. */
async function loadMemberTexts() {
  const memberTexts = await import('../language/member-texts.ts');
  await memberTexts.loadMemberTexts();
  return {};
}

const createMemberRouter = () =>
  createBrowserRouter(
    [
      {
        lazy: loadMemberTexts,
        errorElement: <CrashPage />,
        HydrateFallback: PageLoader,
        children: [
          {
            path: 'sign-in',
            lazy: async () => ({ Component: (await loadSignInPages()).MemberSignInPage }),
          },
          {
            path: 'confirm-email',
            lazy: async () => ({ Component: (await loadMemberEmailPages()).ConfirmEmailPage }),
          },
          {
            path: 'approve-email',
            lazy: async () => ({ Component: (await loadMemberEmailPages()).ApproveEmailPage }),
          },
          {
            lazy: async () => ({ Component: (await loadGuards()).RequireMember }),
            children: [memberRoutes, { path: '*', element: <Navigate replace to="/" /> }],
          },
        ],
      },
    ],
    { basename: MEMBER_PATH },
  );

/** Public pages sit directly below the service's base URL. */
const PUBLIC_BASE_PATH = new URL(toServiceUrl('')).pathname.replace(/\/$/, '');

const publicRouterRoutes = toPublicRouterRoutes(standaloneRoutes);

const createPublicRouter = () =>
  createBrowserRouter(publicRouterRoutes, { basename: PUBLIC_BASE_PATH || '/' });

/** Loads the code of the public page at the current address, so that the router shows it at once. */
export async function loadCurrentPage(): Promise<void> {
  const matches = matchRoutes(publicRouterRoutes, location, PUBLIC_BASE_PATH || '/') ?? [];
  await Promise.all(
    matches.map(async ({ route }) => {
      if (typeof route.lazy === 'function')
        Object.assign(route, await route.lazy(), { lazy: undefined });
    }),
  );
}

/** Links of the public pages stay within the widget. */
const createEmbedRouter = () => createBrowserRouter(embedRoutes, { basename: EMBED_PATH });

const isWithin = (base: string) => `${location.pathname}/`.startsWith(`${base}/`);

export function createRouter() {
  if (isWithin(MEMBER_PATH)) return createMemberRouter();
  if (isEmbedded()) return createEmbedRouter();
  return [...PUBLIC_PATHS, ...STANDALONE_PATHS].some((path) =>
    isWithin(`${PUBLIC_BASE_PATH}/${path}`),
  )
    ? createPublicRouter()
    : createAdminRouter();
}
