import { Anchor } from '@mantine/core';
import { Link, type LinkComponentProps } from '@tanstack/react-router';
import type { ReactElement } from 'react';

/** A link to a page of the console, in the colours of links. */
export function LinkTo(props: LinkComponentProps): ReactElement {
  return <Anchor renderRoot={(rootProps) => <Link {...rootProps} {...props} />} inherit />;
}
