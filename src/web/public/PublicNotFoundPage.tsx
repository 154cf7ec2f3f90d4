import { getText } from '../language/page-texts.ts';
import { LinkNotFound } from './LinkNotFound.tsx';

export const Component = () => (
  <LinkNotFound
    title={getText('page.notFound')}
    description={getText('page.notFoundHelp')}
    question={getText('page.lookingForEvent')}
  />
);
