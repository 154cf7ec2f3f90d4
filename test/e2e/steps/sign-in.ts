import assert from 'node:assert/strict';
import type { Stage } from '../stage.ts';

export async function firstVisit({ page, panel, shot }: Stage) {
  await page.goto(panel('/settings/api-keys'));
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.equal(await page.title(), 'Sign in · Foyer');
  assert.equal(new URL(page.url()).searchParams.get('next'), '/settings/api-keys');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Enter your email address').waitFor();
  await shot(page, 'sign-in');
}

export async function failures({ page, shot, signIn, watch }: Stage) {
  const alert = page.getByRole('alert');
  await signIn(page, { email: 'ada@example.org', password: 'not this one' });
  await alert.filter({ hasText: 'The email address or the password is wrong' }).waitFor();
  await shot(page, 'wrong-password');

  await page.route('**/graphql', (route) => route.abort());
  await watch.expecting(/ERR_FAILED/, async () => {
    await signIn(page);
    await alert.filter({ hasText: 'Cannot reach the service' }).waitFor();
  });
  await page.unroute('**/graphql');
  await shot(page, 'unreachable');

  for (let attempt = 0; attempt < 11; attempt += 1) {
    const answered = page.waitForResponse('**/graphql');
    await signIn(page, { email: 'eve@example.org', password: 'guess' });
    await answered;
  }
  await alert.filter({ hasText: /Try again at .*, in 1\d minutes/ }).waitFor();
  await shot(page, 'throttled');
}

export async function success({ page, panel, signIn }: Stage) {
  await signIn(page);
  await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor();
  assert.equal(page.url(), panel('/settings/api-keys'));
  await page.goto(panel());
  await page.getByRole('heading', { name: 'Bookings', exact: true }).waitFor();
  assert.equal(page.url(), panel('/bookings'));
}
