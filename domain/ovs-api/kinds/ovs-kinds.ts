import type { Kind } from '@smalt/kind';

import { ovsNode } from './ovs-node.ts';

export const ovsKinds: readonly Kind[] = [ovsNode];
