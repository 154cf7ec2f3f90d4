import type { Page } from 'playwright-core';

/** The day of a location, and the dialog in which a booking is made there. */
export const board = (page: Page) => page.getByRole('region', { name: 'Bookings of the day' });

export const newBooking = (page: Page) =>
  page.getByRole('dialog', { name: 'New booking at Café Süd' });
