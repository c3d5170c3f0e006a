import { Notification, Text } from '@mantine/core';
import { useSyncExternalStore, type ReactElement } from 'react';

import { useServices } from '../../services.ts';
import classes from './notices.module.css';

/** Shows what is told in passing, and has it read out. */
export function Notices(): ReactElement {
  const { notices } = useServices();
  const shown = useSyncExternalStore(notices.subscribe, notices.notices);
  return (
    <section className={classes.notices} aria-label="Notices" aria-live="polite" aria-relevant="additions">
      {shown.map(({ id, tone, title, lines }) => (
        <Notification
          key={id}
          role={tone === 'failed' ? 'alert' : 'status'}
          color={tone === 'failed' ? 'red' : 'green'}
          title={title}
          withBorder
          closeButtonProps={{ 'aria-label': 'Put away' }}
          onClose={() => notices.putAway(id)}
        >
          {lines.map((line) => (
            <Text key={line} size="sm">
              {line}
            </Text>
          ))}
        </Notification>
      ))}
    </section>
  );
}
