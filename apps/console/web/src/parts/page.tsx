import { Group, Title } from '@mantine/core';
import { useEffect, type ReactElement, type ReactNode } from 'react';

import classes from './page.module.css';

export interface PageProps {
  /** The heading, and what the browser calls the page. */
  readonly title: string;
  /** Small things beside the heading, such as a status. */
  readonly aside?: ReactNode;
  /** Buttons on the right. */
  readonly actions?: ReactNode;
  /** The way back, above the heading. */
  readonly trail?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of one page's content. After going to another page the heading has the focus. */
export function Page({ title, aside, actions, trail, children }: PageProps): ReactElement {
  useEffect(() => {
    document.title = `${title} · Smalt`;
  }, [title]);
  return (
    <>
      {trail === undefined ? undefined : <div className={classes.trail}>{trail}</div>}
      <Group justify="space-between" mb="md" gap="sm">
        <Group gap="sm">
          <Title order={1} tabIndex={-1} className={classes.title}>
            {title}
          </Title>
          {aside}
        </Group>
        <Group gap="xs">{actions}</Group>
      </Group>
      {children}
    </>
  );
}
