import type { ReactNode } from 'react';
import classes from './DescriptionList.module.css';

/** What is known of one thing, line by line; what is empty is left out. */
export const DescriptionList = ({ items }: { items: [name: string, value: ReactNode][] }) => (
  <dl className={classes.facts}>
    {items
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
