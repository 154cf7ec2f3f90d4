import type { RouteObject } from 'react-router';

/** What runs by itself on a wall or at the door: nobody signs in, and nothing leads away from it. */
export const frontDoorPages: RouteObject[] = [
  { path: 'display', lazy: () => import('./screen/ScreenPage.tsx') },
  { path: 'kiosk', lazy: () => import('./kiosk/ChoosePage.tsx') },
  { path: 'kiosk/:place', lazy: () => import('./kiosk/KioskPage.tsx') },
];

/** The first steps of their paths: all else below them is theirs too. */
export const FRONT_DOOR_PLACES = ['display', 'kiosk'];
