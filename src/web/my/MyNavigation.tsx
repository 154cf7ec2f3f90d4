import { Box } from '@mantine/core';
import type { ComponentType } from 'react';
import { NavLink } from 'react-router';
import { IconCalendar, IconPlan, IconPlus } from '../ui/icons.tsx';
import classes from './MyNavigation.module.css';

const PLACES: [path: string, label: string, icon: ComponentType<{ size?: number }>][] = [
  ['/', 'Bookings', IconCalendar],
  ['/book', 'Book', IconPlus],
  ['/plan', 'My plan', IconPlan],
];

/** Of two, the one that does not fit the screen is hidden from everybody. */
export const MyNavigation = (props: { visibleFrom?: 'sm' }) => (
  <Box component="nav" aria-label="Main" className={classes.places} {...props}>
    {PLACES.map(([path, label, Icon]) => (
      <NavLink key={path} to={path} end={path === '/'} className={classes.place ?? ''}>
        <Icon size={20} />
        {label}
      </NavLink>
    ))}
  </Box>
);
