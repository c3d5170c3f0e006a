import { Group, Switch, Text } from '@mantine/core';
import type { LogLine } from '@smalt/vm-api';
import { useEffect, useRef, useState, type ReactElement } from 'react';

import { useStream } from '../live/use-stream.ts';
import { countWords } from './count-words.ts';
import { logText, parseLogLines } from './log-lines.ts';
import classes from './log-view.module.css';
import { StreamNote } from './stream-note.tsx';

const MOST_LINES = 2_000;

/** Shows a stream of log lines as they come; the last ones stay in view unless one scrolls back. */
export function LogView({ label, path }: { readonly label: string; readonly path: string }): ReactElement {
  const [lines, setLines] = useState<readonly LogLine[]>([]);
  const [isFollowing, setIsFollowing] = useState(true);
  const box = useRef<HTMLDivElement>(null);
  const add = (message: unknown): void =>
    setLines((before) => [...before, ...parseLogLines(message)].slice(-MOST_LINES));
  // Who comes back is told the last lines again.
  const state = useStream(path, add, () => setLines([]));
  useEffect(() => {
    if (isFollowing) box.current?.scrollTo({ top: box.current.scrollHeight });
  });
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Text size="sm" c="dimmed">
          {lines.length === 0 ? 'No lines yet' : countWords(lines.length, lines.length, 'line')}
        </Text>
        <Switch
          size="xs"
          label="Keep the last lines in view"
          checked={isFollowing}
          onChange={(event) => setIsFollowing(event.currentTarget.checked)}
        />
      </Group>
      <StreamNote state={state} of="log" />
      {/* A log is read by scrolling, also by those who have only keys. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={box} role="log" aria-label={label} tabIndex={0} className={classes.log}>
        {lines.map((line, index) => (
          // Lines have no name but their place.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index} className={classes.line}>
            <span className={classes.source}>{line.source}</span>
            {line.at === undefined ? undefined : <span className={classes.source}>{line.at}</span>}
            {logText(line.text)}
          </div>
        ))}
      </div>
    </>
  );
}
