import '@xterm/xterm/css/xterm.css';

import { Button, Group, Text } from '@mantine/core';
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import { useEffect, useRef, useState, type ReactElement } from 'react';

import { socketUrl, STREAM_PROTOCOL } from '../../../live/socket-url.ts';
import { whyRefused } from '../../../live/why-refused.ts';
import { useServices } from '../../../services.ts';
import { styleNonce, withStyleNonce } from '../../../style-nonce.ts';
import classes from './serial-console.module.css';

type ConsoleState = 'connecting' | 'open' | 'closed';

const WORDS: Readonly<Record<ConsoleState, string>> = {
  connecting: 'Connecting …',
  open: 'Connected. Press Enter if nothing shows. Shift-Escape leaves the terminal.',
  closed: 'The console has ended. The machine may have stopped or moved, or somebody else has taken it.',
};

export interface SerialConsoleProps {
  readonly name: string;
  readonly path: string;
}

/** The serial console of a machine. */
export function SerialConsole(props: SerialConsoleProps): ReactElement {
  const [attempt, setAttempt] = useState(0);
  return <ConsoleAttempt key={attempt} {...props} onAgain={() => setAttempt((count) => count + 1)} />;
}

function ConsoleAttempt({ name, path, onAgain }: SerialConsoleProps & { readonly onAgain: () => void }): ReactElement {
  const holder = useRef<HTMLDivElement>(null);
  const leave = useRef<HTMLButtonElement>(null);
  const { api } = useServices();
  const [state, setState] = useState<ConsoleState>('connecting');
  const [refusal, setRefusal] = useState('');
  useEffect(() => {
    const element = holder.current;
    if (element === null) return undefined;
    const onRefused = (): void => void whyRefused(api, path).then(({ message }) => setRefusal(message));
    return openConsole({ element, path, onState: setState, onRefused, onLeave: () => leave.current?.focus() });
  }, [api, path]);
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Text size="sm" role="status">
          {state === 'closed' && refusal !== '' ? refusal : WORDS[state]}
        </Text>
        <Button ref={leave} variant="default" onClick={onAgain}>
          Connect anew
        </Button>
      </Group>
      <div
        ref={holder}
        className={classes.terminal}
        aria-label={`Serial console of ${name}`}
        role="group"
        data-own-keys
      />
    </>
  );
}

interface ConsoleOptions {
  readonly element: HTMLElement;
  readonly path: string;
  readonly onState: (state: ConsoleState) => void;
  /** It was closed before it was open. */
  readonly onRefused: () => void;
  readonly onLeave: () => void;
}

function openConsole(options: ConsoleOptions): () => void {
  const { element, onLeave } = options;
  const terminal = new Terminal({
    fontFamily: getComputedStyle(element).fontFamily,
    fontSize: 13,
    scrollback: 5_000,
    screenReaderMode: true,
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  withStyleNonce(styleNonce(), () => terminal.open(element));
  // A terminal takes every key, Tab included: those without a mouse need a way out.
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.key !== 'Escape' || !event.shiftKey) return true;
    onLeave();
    return false;
  });
  const observer = new ResizeObserver(() => fit.fit());
  observer.observe(element);
  const closeSocket = joinSocket(terminal, options);
  terminal.focus();
  return () => {
    closeSocket();
    observer.disconnect();
    terminal.dispose();
  };
}

function joinSocket(terminal: Terminal, { path, onState, onRefused }: ConsoleOptions): () => void {
  const socket = new WebSocket(socketUrl(path), [STREAM_PROTOCOL]);
  socket.binaryType = 'arraybuffer';
  let isWanted = true;
  const tell = (state: ConsoleState): void => {
    if (isWanted) onState(state);
  };
  let hasOpened = false;
  socket.addEventListener('open', () => {
    hasOpened = true;
    tell('open');
  });
  socket.addEventListener('close', () => {
    tell('closed');
    if (isWanted && !hasOpened) onRefused();
  });
  socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (isWanted) terminal.write(typeof data === 'string' ? data : new Uint8Array(data));
  });
  const encoder = new TextEncoder();
  terminal.onData((text) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(encoder.encode(text));
  });
  return () => {
    isWanted = false;
    socket.close();
  };
}
