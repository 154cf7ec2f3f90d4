import type { Secret } from '../../ui/secret/use-secret.ts';

export const secretOf = (title: string, plainText: string): Secret => ({
  title,
  explanation:
    'The receiver verifies with this secret that messages come from here, as standardwebhooks.com describes.',
  label: 'Signing secret',
  plainText,
});
