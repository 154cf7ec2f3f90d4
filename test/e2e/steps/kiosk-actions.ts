import type { Page } from 'playwright-core';

/** Creates the actions of a guest at a kiosk. */
export function createKioskActions(kiosk: () => Page) {
  const field = () => kiosk().getByLabel(/name, email address or code/);
  const button = (name: string | RegExp) => kiosk().getByRole('button', { name });
  return {
    field,
    button,
    enter: async (text: string) => {
      await field().fill(text);
      await field().press('Enter');
    },
    said: (text: string | RegExp) => kiosk().getByRole('heading', { name: text }).waitFor(),
    done: async () => {
      await button('Done').click();
      await field().waitFor();
    },
  };
}
