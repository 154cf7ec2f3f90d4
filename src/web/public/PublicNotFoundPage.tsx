import { LinkNotFound } from './LinkNotFound.tsx';

export const Component = () => (
  <LinkNotFound
    title="Page not found"
    description="There’s no page at this address."
    question="Looking for an event?"
  />
);
