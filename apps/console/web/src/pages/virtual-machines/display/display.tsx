import { Button, Group, Switch, Text } from '@mantine/core';
import RemoteDisplay from '@novnc/novnc';
import { useEffect, useRef, useState, type ReactElement } from 'react';

import { socketUrl, STREAM_PROTOCOL } from '../../../live/socket-url.ts';
import { whyRefused } from '../../../live/why-refused.ts';
import { useServices } from '../../../services.ts';
import classes from './display.module.css';

type DisplayState = 'connecting' | 'open' | 'closed';

const WORDS: Readonly<Record<DisplayState, string>> = {
  connecting: 'Connecting …',
  open: 'Connected. Keys go to the machine while its screen has the focus.',
  closed: 'The display has ended. The machine may have stopped or moved, or somebody else has taken it.',
};

export interface DisplayProps {
  readonly name: string;
  readonly path: string;
}

/** The screen of a machine, by VNC. */
export function Display(props: DisplayProps): ReactElement {
  const [attempt, setAttempt] = useState(0);
  return <DisplayAttempt key={attempt} {...props} onAgain={() => setAttempt((count) => count + 1)} />;
}

function DisplayAttempt({ name, path, onAgain }: DisplayProps & { readonly onAgain: () => void }): ReactElement {
  const holder = useRef<HTMLDivElement>(null);
  const remote = useRef<RemoteDisplay>(undefined);
  const { api } = useServices();
  const [state, setState] = useState<DisplayState>('connecting');
  const [refusal, setRefusal] = useState('');
  const [isViewOnly, setIsViewOnly] = useState(false);
  useEffect(() => {
    if (holder.current === null) return undefined;
    const onRefused = (): void => void whyRefused(api, path).then(({ message }) => setRefusal(message));
    const opened = openDisplay(holder.current, path, setState, onRefused);
    remote.current = opened.remote;
    return opened.close;
  }, [api, path]);
  useEffect(() => {
    if (remote.current !== undefined) remote.current.viewOnly = isViewOnly;
  }, [isViewOnly]);
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Text size="sm" role="status">
          {state === 'closed' && refusal !== '' ? refusal : WORDS[state]}
        </Text>
        <Group gap="sm">
          <Switch
            size="xs"
            label="Only look"
            checked={isViewOnly}
            onChange={(event) => setIsViewOnly(event.currentTarget.checked)}
          />
          <Button variant="default" disabled={state !== 'open'} onClick={() => remote.current?.sendCtrlAltDel()}>
            Send Ctrl-Alt-Del
          </Button>
          <Button variant="default" onClick={onAgain}>
            Connect anew
          </Button>
        </Group>
      </Group>
      <div ref={holder} className={classes.screen} aria-label={`Screen of ${name}`} role="group" data-own-keys />
    </>
  );
}

function openDisplay(
  element: HTMLElement,
  path: string,
  onState: (state: DisplayState) => void,
  onRefused: () => void,
): { readonly remote: RemoteDisplay; readonly close: () => void } {
  const remote = new RemoteDisplay(element, socketUrl(path), { wsProtocols: [STREAM_PROTOCOL] });
  remote.scaleViewport = true;
  remote.background = 'transparent';
  let isWanted = true;
  let hasOpened = false;
  let hasEnded = false;
  remote.addEventListener('connect', () => {
    hasOpened = true;
    if (isWanted) onState('open');
  });
  remote.addEventListener('disconnect', () => {
    hasEnded = true;
    if (!isWanted) return;
    onState('closed');
    if (!hasOpened) onRefused();
  });
  const close = (): void => {
    isWanted = false;
    if (!hasEnded) remote.disconnect();
  };
  return { remote, close };
}
