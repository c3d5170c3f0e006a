import { Text } from '@mantine/core';
import { useEffect, useState, type ReactElement } from 'react';

import { useConnectionState } from '../live/use-connection-state.ts';
import classes from './frame.module.css';

/** A short break is mended before anybody needs to know. */
const QUIET_MS = 1_500;

/** Says that what is shown may be old, while it may be. */
export function ConnectionBanner(): ReactElement {
  const state = useConnectionState();
  return <div role="status">{state === 'lost' ? <LostBanner /> : undefined}</div>;
}

function LostBanner(): ReactElement | undefined {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLong) return undefined;
  return (
    <div className={classes.banner}>
      <Text size="sm">Connection lost, trying again. What you see may be old.</Text>
    </div>
  );
}
