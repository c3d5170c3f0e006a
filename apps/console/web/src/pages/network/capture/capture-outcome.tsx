import { Button, Group, Text } from '@mantine/core';
import type { ReactElement } from 'react';

import { Note } from '../../../parts/note.tsx';
import { captureWords } from './capture-words.ts';
import type { ReceivedCapture } from './receive-capture.ts';
import type { CaptureState } from './use-capture.ts';

/** How a capture goes, and its file when it is over. */
export function CaptureOutcome({ state }: { readonly state: CaptureState }): ReactElement | undefined {
  if (state.kind === 'idle' || state.kind === 'failed') return undefined;
  if (state.kind === 'running') {
    return (
      <Note tone="busy" title="It runs" role="status">
        {captureWords(state.progress)} so far
      </Note>
    );
  }
  const { capture, fileName, wasStopped } = state;
  const isCutOff = !capture.isWhole && !wasStopped;
  const title = isCutOff ? 'It broke off' : wasStopped ? 'It was stopped' : 'It is over';
  return (
    <Note tone={isCutOff ? 'warning' : 'good'} title={title} role="status">
      <Text size="sm" mb="xs">
        {captureWords(capture)}
        {isCutOff ? '. The log of the agent says why it ended early; what had come is kept.' : '.'}
      </Text>
      {capture.bytes === 0 ? undefined : (
        <Group>
          <Button size="compact-sm" onClick={() => save(capture, fileName)}>
            Save {fileName}
          </Button>
        </Group>
      )}
    </Note>
  );
}

/** Browsers save what a link leads to; this one leads to what the page holds. */
function save({ parts }: ReceivedCapture, fileName: string): void {
  const url = URL.createObjectURL(new Blob([...parts], { type: 'application/vnd.tcpdump.pcap' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // At once would be before the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
