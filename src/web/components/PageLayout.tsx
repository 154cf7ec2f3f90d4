import {
  Anchor,
  Badge,
  Box,
  Center,
  Group,
  Image,
  Loader,
  Paper,
  Stack,
  Text,
  ThemeIcon,
  Title,
} from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useEffect, useId, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import mark from '../favicon.svg';
import { getText } from '../language/page-texts.ts';
import { getSpaceName } from '../language/space-name.ts';
import classes from './PageLayout.module.css';
import { PageTitle } from './PageTitle.tsx';

interface PageHeaderProps {
  title: string;
  description: ReactNode;
  action?: ReactNode;
}

export const PageHeader = ({ title, description, action }: PageHeaderProps) => (
  <Group justify="space-between" align="flex-start" mb="lg" gap="md">
    <PageTitle>{title}</PageTitle>
    <Box flex="1 1 280px" maw={640}>
      <Title order={1} size="h2">
        {title}
      </Title>
      <Text c="dimmed" size="sm" mt={4}>
        {description}
      </Text>
    </Box>
    {action}
  </Group>
);

export const BackLink = ({ to, children }: { to: string; children: string }) => (
  <Anchor component={Link} to={to} size="sm" display="inline-block" mb="xs">
    <Group gap={4} component="span">
      <IconChevronLeft size={16} />
      {children}
    </Group>
  </Anchor>
);

interface SectionCardProps {
  title: string;
  /** Names the section for screen readers, if another one of the page has the same title. */
  label?: string;
  /** The number of rows below the title, such as "17" or "1,000+". */
  count?: string | undefined;
  description?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

/** A titled section of a page. */
export function SectionCard({
  title,
  label,
  count,
  description,
  action,
  children,
}: SectionCardProps) {
  const id = useId();
  return (
    <Paper
      component="section"
      {...(label === undefined ? { 'aria-labelledby': id } : { 'aria-label': label })}
      withBorder
      radius="md"
      p="md"
    >
      <Group justify="space-between" align="flex-start" mb="sm" gap="sm">
        <div style={{ flex: '1 1 140px' }}>
          <Group gap="xs">
            <Title id={id} order={2} size="h4">
              {title}
            </Title>
            {count !== undefined && <Badge variant="default">{count}</Badge>}
          </Group>
          {description && (
            <Text size="sm" c="dimmed">
              {description}
            </Text>
          )}
        </div>
        {action}
      </Group>
      {children}
    </Paper>
  );
}

/** Names with values. Omits empty values. */
export const DescriptionList = ({ items }: { items: [name: string, value: ReactNode][] }) => (
  <dl className={classes.list}>
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

/** The color of the dot only repeats what the label says. */
export const StatusBadge = ({ color, children }: { color: string; children: string }) => (
  <Badge
    variant="default"
    leftSection={
      <svg width="8" height="8" aria-hidden="true" focusable="false">
        <circle cx="4" cy="4" r="4" fill={`var(--mantine-color-${color}-6)`} />
      </svg>
    }
  >
    {children}
  </Badge>
);

interface EmptyStateProps {
  icon: ComponentType<{ size?: number }>;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}

/** Explains an empty page and what to do first. */
export const EmptyState = ({ icon: Icon, title, children, action }: EmptyStateProps) => (
  <Paper withBorder radius="md" p="xl">
    <Stack align="center" gap="sm" maw={440} mx="auto" ta="center">
      <ThemeIcon size={48} radius="xl" variant="light" aria-hidden>
        <Icon size={26} />
      </ThemeIcon>
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text c="dimmed" size="sm">
        {children}
      </Text>
      {action}
    </Stack>
  </Paper>
);

/** What people without scripts can do instead, in a page that the service renders. */
export const NoScriptNote = ({ children }: { children: string }) => (
  <noscript>
    <Paper withBorder radius="md" p="sm" mb="md">
      {children}
    </Paper>
  </noscript>
);

/** A small page without navigation, such as sign-in. */
export function CenteredPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Center component="main" mih="100dvh" p="md">
      <PageTitle>{title}</PageTitle>
      <Paper withBorder shadow="sm" radius="md" p="xl" w="100%" maw={420}>
        <Group mb="lg">
          <Logo />
        </Group>
        <Title order={1} size="h2" mb="md">
          {title}
        </Title>
        {children}
      </Paper>
    </Center>
  );
}

export const PageLoader = () => (
  <Center mih="60dvh" role="status" aria-label={getText('page.loading')}>
    <Loader />
  </Center>
);

/** The name of the space. The panel, which has none, shows that of the product. */
export const Logo = () => (
  <Group gap="xs" wrap="nowrap">
    <Image src={mark} alt="" w={28} h={28} />
    <Text fw={700} size="lg" component="span" truncate maw="min(45vw, 20rem)">
      {getSpaceName()}
    </Text>
  </Group>
);

/** After navigation, scrolls to the top and focuses the content, so that keyboards and screen readers start there. */
export function useRouteFocus() {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const previousPath = useRef(pathname);
  useEffect(() => {
    if (previousPath.current === pathname) return;
    previousPath.current = pathname;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [pathname]);
  return main;
}
