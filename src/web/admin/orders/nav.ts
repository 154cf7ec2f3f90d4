import { IconReceipt } from '@tabler/icons-react';
import { can } from '../../app/session/viewer.ts';
import type { NavSection } from '../nav-section.ts';

export const ordersNav: NavSection = {
  label: 'Orders',
  group: 'Space',
  path: 'orders',
  icon: IconReceipt,
  isVisibleTo: (viewer) => can(viewer, 'orders:read'),
  audience: 'staff who manage orders',
  load: () => import('./OrdersPage.tsx').then(({ OrdersPage: Page }) => ({ Page })),
  pages: [
    {
      path: 'refunds',
      load: () => import('./RefundsPage.tsx').then(({ RefundsPage: Page }) => ({ Page })),
    },
    {
      path: ':orderId',
      load: () => import('./OrderPage.tsx').then(({ OrderPage: Page }) => ({ Page })),
    },
  ],
};
