import { serviceUrl } from '../../api/urls.ts';
import type { Secret } from '../../ui/secret/use-secret.ts';

export const tokenSecret = (title: string, token: string): Secret => ({
  title,
  explanation:
    'Put one of the addresses into the device: the first into a browser on the wall, the others into a program of your own, which polls what to show and tells that it is alive.',
  label: 'Device token',
  plainText: token,
  addresses: [
    { label: 'Address for a browser', value: serviceUrl(`display#${token}`) },
    { label: 'Address to poll', value: serviceUrl(`displays/state/${token}`) },
    { label: 'Address of the heartbeat', value: serviceUrl(`displays/heartbeat/${token}`) },
  ],
});
