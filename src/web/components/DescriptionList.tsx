import type { ReactNode } from 'react';
import classes from './DescriptionList.module.css';

/** Name and value pairs. Omits empty values. */
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
