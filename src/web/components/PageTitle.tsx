import { getSpaceName } from '../language/space-name.ts';

/** The title of the page in the browser, with the name of the space. */
export const PageTitle = ({ children }: { children: string }) => (
  <title>{`${children} · ${getSpaceName()}`}</title>
);
