import { Skeleton } from '@mantine/core';
import { lazy, Suspense, type ReactElement } from 'react';

import type { YamlEditorProps } from './yaml-editor-props.ts';

const YamlEditorView = lazy(async () => ({ default: (await import('./yaml-editor-view.tsx')).YamlEditorView }));

/** An editor for YAML. Escape, then Tab, leaves it by keyboard. */
export function YamlEditor(props: YamlEditorProps): ReactElement {
  return (
    <Suspense fallback={<Skeleton height="20rem" aria-label="Loading the editor" />}>
      <YamlEditorView {...props} />
    </Suspense>
  );
}
