import type { Page } from 'playwright-core';

/** The bookings of the selected day. */
export const board = (page: Page) => page.getByRole('region', { name: 'Bookings of the day' });

export const newBooking = (page: Page) =>
  page.getByRole('dialog', { name: 'New booking at Café Süd' });
