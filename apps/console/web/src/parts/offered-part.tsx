import type { ReactElement, ReactNode } from 'react';

import { useMayAnswer } from '../api/use-may.ts';
import type { Deed } from '../api/rights.ts';
import { Note } from './note.tsx';

export interface OfferedPartProps {
  /** What somebody has to be allowed to be shown it. */
  readonly deed: Deed;
  /** What whoever may not is told. */
  readonly refusal?: string;
  readonly children: ReactNode;
}

/** A part of a page for those who may see it; whoever else came there by its address is told so, and nothing is asked for in vain. */
export function OfferedPart({ deed, refusal, children }: OfferedPartProps): ReactElement | undefined {
  const answer = useMayAnswer(deed);
  if (answer === undefined) return undefined;
  if (answer) return <>{children}</>;
  const { verb, resource, subresource } = deed;
  return (
    <Note tone="warning" title={refusal ?? 'You may not see this part'} role="status">
      That needs the right to {verb} {[resource, subresource].filter(Boolean).join('/')}.
    </Note>
  );
}
