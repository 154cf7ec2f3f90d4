import { may } from '../../session/viewer.ts';
import type { Section } from '../../shell/section.ts';
import { IconOrder } from '../../ui/icons.tsx';

export const orders: Section = {
  label: 'Orders',
  group: 'Space',
  path: 'orders',
  icon: IconOrder,
  isFor: (viewer) => may(viewer, 'orders:read'),
  audience: 'those who look after the orders',
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
