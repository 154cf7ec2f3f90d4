import type { ReactNode } from 'react';
import classes from './Facts.module.css';

/** What is known of one thing, line by line; what is empty is left out. */
export const Facts = ({ of }: { of: [name: string, value: ReactNode][] }) => (
  <dl className={classes.facts}>
    {of
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
