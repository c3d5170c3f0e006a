import { Group, Paper, Title } from '@mantine/core';
import { useId, type ReactElement, type ReactNode } from 'react';

export interface SectionProps {
  readonly title: string;
  /** Buttons and the like on the right of the heading. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page with a heading of its own. */
export function Section({ title, actions, children }: SectionProps): ReactElement {
  const id = useId();
  return (
    <Paper component="section" withBorder p="md" aria-labelledby={id}>
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2} id={id}>
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Paper>
  );
}
