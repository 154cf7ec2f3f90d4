import type { Secret } from '../../ui/secret/use-secret.ts';

export const newKey = (name: string, plainText: string): Secret => ({
  title: `${name} is ready`,
  explanation: 'Programs send this key as “Authorization: Bearer …” with each request.',
  label: 'API key',
  plainText,
});

export const rotatedKey = (name: string, plainText: string): Secret => ({
  title: `New secret for ${name}`,
  explanation: 'Put it in place of the old one wherever the program keeps its settings.',
  label: 'API key',
  plainText,
});
