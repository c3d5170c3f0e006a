import type { Box } from './flow-boxes.ts';
import type { MemberCard, PortCard, PortGroup } from './gather-ports.ts';

export interface CardBox extends Box {
  readonly card: PortCard;
  readonly members: readonly (Box & { readonly member: MemberCard })[];
}

/** Several patches to one bridge, shown as one. */
export interface BundleBox extends Box {
  readonly id: string;
  readonly group: PortGroup;
  readonly bridge: string;
  readonly count: number;
}
