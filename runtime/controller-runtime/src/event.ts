import type { KindReference, KubernetesObject } from '@smalt/kubernetes';

/** The part of core/v1 Event that is written here. */
export interface EventObject extends KubernetesObject {
  readonly involvedObject: Readonly<Record<string, string | undefined>>;
  readonly reason: string;
  readonly message: string;
  readonly type: 'Normal' | 'Warning';
  readonly count: number;
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
  readonly source: { readonly component: string; readonly host?: string };
  readonly reportingComponent: string;
  readonly reportingInstance: string;
}

export const eventKind: KindReference<EventObject> = {
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  isNamespaced: true,
};
