import type { OVSNode } from '@smalt/ovs-api';

import type { SwitchTab, SwitchView } from '../detail/switch-view.ts';
import type { TopologyAnswer } from '../topology/use-topology.ts';

/** What the parts of a switch's page are given. */
export interface SwitchPartProps {
  readonly node: OVSNode;
  readonly view: SwitchView;
  readonly answer: TopologyAnswer;
  /** The parts of the page that this user has. */
  readonly offered: readonly SwitchTab[];
  readonly onView: (view: SwitchView) => void;
}
