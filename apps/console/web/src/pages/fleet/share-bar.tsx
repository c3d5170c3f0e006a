import type { ReactElement } from 'react';

import { formatBytes } from '../../parts/format-bytes.ts';
import { fractionOf, type ResourceName, type Share } from './host-facts.ts';
import classes from './share-bar.module.css';

/** How much of something is given away, as a bar and in words. */
export function ShareBar({
  resource,
  share,
}: {
  readonly resource: ResourceName;
  readonly share: Share;
}): ReactElement {
  const fraction = fractionOf(share);
  const words = shareWords(resource, share);
  if (Number.isNaN(fraction)) return <>–</>;
  return (
    <span className={classes.bar}>
      <progress className={classes.meter} value={Math.min(1, fraction)} max={1} aria-label={words} title={words} />
      <span>{Math.round(100 * fraction)} %</span>
    </span>
  );
}

/** Such as `6 of 8 processors`. */
export function shareWords(resource: ResourceName, { given, total }: Share): string {
  if (resource === 'cpu') return `${given} of ${total} processors`;
  return `${formatBytes(given)} of ${formatBytes(total)}`;
}
