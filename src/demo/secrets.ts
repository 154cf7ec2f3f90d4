import { makeSecret, type Secret } from '../auth/secrets.ts';

/** The common password of the demo's staff. */
export const STAFF_PASSWORD = 'tulip orbit cellar';

export const displaySecrets = (): [Secret, Secret, Secret, Secret] => [
  makeSecret('deviceToken'),
  makeSecret('deviceToken'),
  makeSecret('deviceToken'),
  makeSecret('deviceToken'),
];
